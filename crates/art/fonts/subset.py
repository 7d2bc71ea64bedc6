"""Makes the three web fonts from the fonts of the Debian packages fonts-averia-serif-gwf and fonts-lato.

    pip install fonttools brotli && python3 subset.py

Keeps what English, German, French and names of their neighbours need, typographic punctuation and arrows. The internal names are changed,
since the licence reserves the originals.
"""

import subprocess
import unicodedata
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

# English, German and French, with typographic punctuation; text also has what names in neighbouring languages need, and the signs
# that no title has.
TITLE = "U+0020-0022,U+0026-003B,U+003F,U+0041-005A,U+0061-007A,U+00A0,U+00AB,U+00B7,U+00BB,U+00C0,U+00C2,U+00C4,U+00C6-00CB,U+00CE,U+00CF,U+00D4,U+00D6,U+00D7,U+00D9,U+00DB,U+00DC,U+00DF,U+00E0,U+00E2,U+00E4,U+00E6-00EB,U+00EE,U+00EF,U+00F1,U+00F4,U+00F6,U+00F9,U+00FB,U+00FC,U+00FF,U+0152,U+0153,U+0178,U+2009,U+202F,U+2013,U+2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2039,U+203A,U+2212"
TEXT = TITLE + ",U+0020-007E,U+00A7,U+00B0,U+20AC,U+00A1,U+00BF-00CF,U+00D1-00D6,U+00D8,U+00DA,U+00DF-00EF,U+00F1-00F6,U+00F8,U+00F9-00FC,U+1E9E,U+2190-2193"
FONTS = {
    "title": ("/usr/share/fonts/truetype/averia-gwf/AveriaSerifGWF-Bold.ttf", TITLE, "Tower Title"),
    "text": ("/usr/share/fonts/truetype/lato/Lato-Regular.ttf", TEXT, "Tower Text"),
    "text-bold": ("/usr/share/fonts/truetype/lato/Lato-Bold.ttf", TEXT, "Tower Text"),
}


def contours(font, name):
    """The outlines of a letter, each as what a pen would do and the box around it."""
    pen = DecomposingRecordingPen(font.getGlyphSet())
    font.getGlyphSet()[name].draw(pen)
    found, steps = [], []
    for step in pen.value:
        steps.append(step)
        if step[0] == "closePath":
            points = [p for _, args in steps for p in args if p]
            xs, ys = [x for x, _ in points], [y for _, y in points]
            found.append((steps, (min(xs), min(ys), max(xs), max(ys))))
            steps = []
    return found


def middle(boxes):
    """The middle of several boxes."""
    return ((min(b[0] for b in boxes) + max(b[2] for b in boxes)) / 2, (min(b[1] for b in boxes) + max(b[3] for b in boxes)) / 2)


def compose(font):
    """Makes a letter with an accent of the letter and the accent, each drawn once: the title font draws every one of them anew."""
    names, marks = font.getBestCmap(), {}
    for code, name in sorted(names.items()):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) != 2 or parts[0][0] == "<" or font["glyf"][name].isComposite():
            continue
        plain = names[int(parts[0], 16)]
        letter, whole = contours(font, plain), contours(font, name)
        height = max(box[3] for _, box in letter)
        accent = [c for c in whole if c[1][1] > height * 0.95]
        below = [c for c in whole if c not in accent]
        if not accent or len(below) != len(letter):
            continue  # joined to the letter, or in place of its dot
        kind = (parts[1], chr(code).isupper())
        at = middle([box for _, box in accent])
        if kind not in marks:
            pen = TTGlyphPen(None)
            for steps, _ in accent:
                for step, args in steps:
                    getattr(pen, step)(*args)
            mark = f"mark{len(marks)}"
            font["glyf"][mark] = pen.glyph()
            font["hmtx"][mark] = (0, 0)
            marks[kind] = (mark, at)
        mark, was = marks[kind]
        aside = round(middle([box for _, box in below])[0] - middle([box for _, box in letter])[0])
        pen = TTGlyphPen(font.getGlyphSet())
        pen.addComponent(plain, (1, 0, 0, 1, aside, 0))
        pen.addComponent(mark, (1, 0, 0, 1, round(at[0] - was[0]), round(at[1] - was[1])))
        font["glyf"][name] = pen.glyph()


def kern_less(font, least):
    """Leaves letters where they are if they would move by less than one sees."""
    lookups = font["GPOS"].table.LookupList.Lookup if "GPOS" in font else []
    for table in (table for lookup in lookups for table in lookup.SubTable):
        table = getattr(table, "ExtSubTable", table)
        if table.LookupType == 2 and table.Format == 2:
            for record in (record for row in table.Class1Record for record in row.Class2Record):
                if record.Value1 and abs(record.Value1.XAdvance) < least:
                    record.Value1.XAdvance = 0


for out, (source, unicodes, name) in FONTS.items():
    file = f"{out}.woff2"
    subprocess.run(["pyftsubset", source, f"--unicodes={unicodes}", "--no-hinting", "--desubroutinize",
                    "--layout-features=kern,lnum,tnum,mark,ccmp,locl", f"--output-file={out}.tmp"], check=True)
    font = TTFont(f"{out}.tmp")
    compose(font)
    if "kern" in font:  # a huge legacy table: keep the pairs one can see
        for table in font["kern"].kernTables:
            table.kernTable = {pair: v for pair, v in table.kernTable.items() if abs(v) >= 60}
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16, 18):
            record.string = name.replace(" ", "") if record.nameID == 6 else name
    # At most a fifth of a pixel in a letter of a hundred: nobody sees it, and the files are a quarter smaller.
    scale_upem(font, 256)
    kern_less(font, 4)
    font.flavor = "woff2"
    font.save(file)
    subprocess.run(["rm", f"{out}.tmp"], check=True)
