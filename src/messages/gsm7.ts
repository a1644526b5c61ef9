// Counts how much of a text message a text takes. In the GSM 03.38 alphabet a segment holds 160
// characters; with any other character it holds 70. A message of several segments loses some of
// each to the data that joins them.

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** These characters take two units, which are never split between segments. */
const EXTENDED = new Set('\f^{}\\[~]|€')

export interface Extent {
  readonly encoding: 'GSM-7' | 'UCS-2'
  /** Septets, or UTF-16 units. */
  readonly units: number
  readonly segments: number
}

interface SegmentUnits {
  readonly alone: number
  readonly joined: number
}

const GSM: SegmentUnits = { alone: 160, joined: 153 }
const UCS: SegmentUnits = { alone: 70, joined: 67 }

/** The units of a message of one segment. */
export const UNITS_ALONE = { 'GSM-7': GSM.alone, 'UCS-2': UCS.alone } as const

export function isGsm7(character: string): boolean {
  return BASIC.has(character) || EXTENDED.has(character)
}

export function extentOf(text: string): Extent {
  const characters = [...text]
  const isGsm = characters.every(isGsm7)
  const places = characters.map((one) => (isGsm ? (EXTENDED.has(one) ? 2 : 1) : one.length))
  const units = places.reduce((sum, place) => sum + place, 0)
  return {
    encoding: isGsm ? 'GSM-7' : 'UCS-2',
    units,
    segments: segmentsOf(places, units, isGsm ? GSM : UCS),
  }
}

function segmentsOf(places: readonly number[], units: number, most: SegmentUnits): number {
  if (units <= most.alone) return 1
  let segments = 1
  let used = 0
  for (const place of places) {
    if (used + place > most.joined) {
      segments += 1
      used = 0
    }
    used += place
  }
  return segments
}
