// A merchant's colour, and what makes it readable: the text on a button has a contrast of at least
// 4.5 to 1 with the button, and a link the same with what it stands on. The edge of a button has at
// least 3 to 1 with the page around it (WCAG 2.2, 1.4.3 and 1.4.11).

/** The surfaces of a page or a letter, by day and by night: the sheet, the paper, a tinted box. */
export const GROUNDS = {
  light: ['#fffefc', '#f5f2ed', '#f8f5f0'],
  dark: ['#221e1a', '#171412', '#2b2620'],
} as const

export type Scheme = keyof typeof GROUNDS

export interface Shades {
  /** A button is of the colour itself. */
  readonly button: string
  /** The text on it. */
  readonly onButton: string
  /** The line around it, which shows where a pale button ends. */
  readonly edge: string
  /** A link, a line, the focus. */
  readonly ink: string
}

const COLOUR = /^#[0-9a-f]{6}$/

const [WHITE, BLACK] = ['#ffffff', '#000000']

const LEAST_OF_TEXT = 4.5
const LEAST_OF_SHAPES = 3

/** Fine enough that a shade is no darker or lighter than it must be. */
const STEPS = 64

/** `#rrggbb`, in small letters. */
export function isColour(text: string): boolean {
  return COLOUR.test(text)
}

export function shadesOf(colour: string, scheme: Scheme): Shades {
  const grounds = GROUNDS[scheme]
  const towards = scheme === 'light' ? BLACK : WHITE
  return {
    button: colour,
    // One of the two always has the contrast of text.
    onButton: contrastOf(colour, WHITE) >= LEAST_OF_TEXT ? WHITE : BLACK,
    edge: shifted(colour, towards, grounds, LEAST_OF_SHAPES),
    ink: shifted(colour, towards, grounds, LEAST_OF_TEXT),
  }
}

/** The nearest mixture that stands out from every ground. */
function shifted(
  colour: string,
  towards: string,
  grounds: readonly string[],
  least: number,
): string {
  for (let step = 0; step < STEPS; step += 1) {
    const shade = mixed(colour, towards, step / STEPS)
    if (grounds.every((ground) => contrastOf(shade, ground) >= least)) return shade
  }
  return towards
}

function mixed(colour: string, other: string, share: number): string {
  const [one, two] = [channelsOf(colour), channelsOf(other)]
  const channels = one.map((value, i) => Math.round(value + ((two[i] ?? 0) - value) * share))
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** From 1, for the same colour, to 21, for black and white. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channelsOf(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}
