// Rules for programs that read style sheets: narrow screens, and the dark mode. Other programs show
// the letter light and at its full width.

/**
 * The colours of the letters, light and dark. Text has a contrast of at least 4.5 to 1 in both. No
 * colour is quite black or white, so that mail programs which invert colours keep them legible.
 */
export const LIGHT = {
  paper: '#f5f2ed',
  card: '#fffefc',
  ink: '#211d18',
  quiet: '#6a6158',
  line: '#e8e2d9',
  tint: '#f8f5f0',
  amber: '#f0a01e',
}

export type Palette = typeof LIGHT

export const DARK: Palette = {
  paper: '#171412',
  card: '#221e1a',
  ink: '#f3eee7',
  quiet: '#b6aba0',
  line: '#3c362f',
  tint: '#2b2620',
  amber: '#f5ae3d',
}

export const STYLES = `
  a { color: ${LIGHT.ink}; }
  .num { font-variant-numeric: tabular-nums; }
  @media (max-width: 480px) {
    .edge > table > tbody > tr > td { padding: 10px !important; }
    .gut { padding-left: 20px !important; padding-right: 20px !important; }
    .amt { font-size: 36px !important; }
    .key { width: 34% !important; }
  }
  @media (prefers-color-scheme: dark) { ${colours(DARK, '')}${ownColour('')} }
  ${colours(DARK, '[data-ogsc] ')}${ownColour('[data-ogsc] ')}
`

/** A dark logo would be lost on a dark card. */
function ownColour(within: string): string {
  const pressed = namesWithin('.press td, .press a', within)
  const rules = [
    `{{#logo}} ${within}.logo { background: #fff !important; padding: 4px !important; }{{/logo}}`,
    `{{#own}} ${pressed} { background: {{button}} !important; color: {{onButton}} !important; }`,
    ` ${within}.press td { border-color: {{edge}} !important; }`,
    ` ${within}.bar p { border-color: {{edge}} !important; }{{/own}}`,
  ]
  return rules.join('')
}

/**
 * Outlook on the web marks the elements that it has darkened; other programs use the system's
 * setting.
 */
function colours(p: Palette, within: string): string {
  const rules = {
    'body, .page': `background: ${p.paper} !important`,
    '.card > table': `background: ${p.card} !important`,
    '.ink, .ink div, .ink td, .ink th, .ink a': `color: ${p.ink} !important`,
    '.quiet, .quiet div, .quiet td, .quiet th, .ink .quiet': `color: ${p.quiet} !important`,
    '.rule td, .rule th': `border-color: ${p.line} !important`,
    '.tint': `background: ${p.tint} !important`,
    '.note': `border-color: ${p.quiet} !important`,
    '.press td, .press a': `background: ${p.ink} !important; color: ${p.card} !important`,
  }
  return Object.entries(rules)
    .map(([names, rule]) => `${namesWithin(names, within)} { ${rule}; }`)
    .join('\n')
}

function namesWithin(names: string, within: string): string {
  return names
    .split(', ')
    .map((name) => within + name)
    .join(', ')
}
