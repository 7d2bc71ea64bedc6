//! Gradients that many drawings share: light from the left, glows, parchment.

/// Shared gradients. Cylinders are lit from the left and dark to the right, with a little light coming back at the edge.
pub const PAINTS: &str = r##"<linearGradient id="wt-round"><stop offset="0" stop-color="#000" stop-opacity=".22"/><stop offset=".2" stop-color="#fff" stop-opacity=".42"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset=".62" stop-color="#1b1238" stop-opacity=".14"/><stop offset=".93" stop-color="#1b1238" stop-opacity=".58"/><stop offset="1" stop-color="#3a2a66" stop-opacity=".4"/></linearGradient>
<linearGradient id="wt-foot" x2="0" y2="1"><stop offset=".55" stop-color="#1b1238" stop-opacity="0"/><stop offset="1" stop-color="#1b1238" stop-opacity=".4"/></linearGradient>
<radialGradient id="wt-shadow"><stop offset=".35" stop-color="var(--wt-shade)" stop-opacity=".62"/><stop offset="1" stop-color="var(--wt-shade)" stop-opacity="0"/></radialGradient>
<radialGradient id="wt-gold-glow"><stop offset="0" stop-color="#ffe9a0" stop-opacity=".95"/><stop offset=".45" stop-color="#ffc94a" stop-opacity=".5"/><stop offset="1" stop-color="#ffb020" stop-opacity="0"/></radialGradient>
<radialGradient id="wt-blue-glow"><stop offset="0" stop-color="#e9fbff"/><stop offset=".28" stop-color="#6fdcff" stop-opacity=".85"/><stop offset="1" stop-color="#2fa8ff" stop-opacity="0"/></radialGradient>
<radialGradient id="wt-violet-glow"><stop offset="0" stop-color="#c98bff" stop-opacity=".7"/><stop offset="1" stop-color="#7a3cff" stop-opacity="0"/></radialGradient>
<linearGradient id="wt-gold" x2="0" y2="1"><stop offset="0" stop-color="#fff0b0"/><stop offset=".5" stop-color="#f2bf4a"/><stop offset="1" stop-color="#b9782a"/></linearGradient>"##;
