//! The raven, its shield and its banner.

/// Raven, shield and banner.
pub fn shapes() -> String {
    // The raven looks right; its box is about 32 by 28 around the origin, which is between its feet.
    r##"<path id="wt-raven" d="M15.5-19.5C13-21.4 10.4-22 8.3-22.2 6.7-25 2.8-25.8 0-23.9-2.3-22.3-2.9-19.9-4.2-17.9-6.8-14-11.2-10.2-18-4.2L-15.5-3.8-17.6-.6-9.4-4.2C-5.6-3-1.9-3-1.2-3.1L-1.6-.9-4.2.6H2.2L.6-.9.9-3.3C5.8-4.6 8.4-8.8 8.8-13.6 9-15.3 9.4-16.6 10.2-17.6 12-17.4 14.2-18.1 15.5-19.5Z"/>
<g id="wt-shield"><path d="M0-14C4-11.5 8.5-10.5 12-10.5 12.6 1 9.5 9.5 0 15-9.5 9.5-12.6 1-12-10.5-8.5-10.5-4-11.5 0-14Z" fill="#5a3596" stroke="#2a1746" stroke-width="3.4"/><path d="M0-14C4-11.5 8.5-10.5 12-10.5 12.6 1 9.5 9.5 0 15-9.5 9.5-12.6 1-12-10.5-8.5-10.5-4-11.5 0-14Z" fill="url(#wt-round)" stroke="#f3cf6e" stroke-width="1.7"/><use href="#wt-raven" transform="translate(.4 7.5)scale(.56)" fill="#fff6df"/></g>
<g id="wt-banner"><path d="M0 4V-44" stroke="#2b2030" stroke-width="3.6" stroke-linecap="round"/><path d="M0 4V-44" stroke="#b98a4e" stroke-width="1.7" stroke-linecap="round"/><circle cy="-45" r="2.6" fill="#f3cf6e" stroke="#2b2030"/><g class="wt-flutter"><path d="M1-42C8-45 14-39 21-42 26-44 29-43 33-43L27.5-34 32-24.5C27-25 24-24 20-23 13-21 8-26 1-23Z" fill="#6a3fb0" stroke="#2b1a48" stroke-width="1.3" stroke-linejoin="round"/><path d="M1-42C8-45 14-39 21-42V-23.5C13-21 8-26 1-23Z" fill="#fff" opacity=".12"/><use href="#wt-raven" transform="translate(12.5-26)scale(.5)" fill="#fff6df"/></g></g>"##.to_string()
}
