// For development: reloads the page after every build of the client.
const version = async () => {
  const answer = await fetch('/version.txt', { cache: 'no-store' });
  if (!answer.ok) throw new Error('not there yet');
  return answer.text();
};
const first = await version();
setInterval(async () => {
  if ((await version().catch(() => first)) !== first) location.reload();
}, 700);
