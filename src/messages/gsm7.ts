// Counts how much of a text message a text takes. In the GSM 03.38 alphabet a segment holds 160
// characters; with any other character it holds 70.

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** These characters take two units. */
const EXTENDED = new Set('\f^{}\\[~]|€')

interface Extent {
  readonly encoding: keyof typeof SEGMENT_UNITS
  /** Septets, or UTF-16 units. */
  readonly units: number
}

/** The units of a message of one segment. */
export const SEGMENT_UNITS = { 'GSM-7': 160, 'UCS-2': 70 } as const

export function isGsm7(character: string): boolean {
  return BASIC.has(character) || EXTENDED.has(character)
}

export function extentOf(text: string): Extent {
  const characters = [...text]
  if (!characters.every(isGsm7)) return { encoding: 'UCS-2', units: text.length }
  const extended = characters.filter((one) => EXTENDED.has(one))
  return { encoding: 'GSM-7', units: characters.length + extended.length }
}
