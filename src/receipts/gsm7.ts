// How much of a text message a text takes. In the alphabet of GSM 03.38 a segment holds 160
// characters, and 70 as soon as one is of another; a message of several segments loses some of each
// to what puts them together again.

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** They take two places each, which no segment parts. */
const EXTENDED = new Set('\f^{}\\[~]|€')

export interface Extent {
  readonly encoding: 'GSM-7' | 'UCS-2'
  /** Places: septets, or units of UTF-16. */
  readonly units: number
  readonly segments: number
}

interface Room {
  readonly alone: number
  readonly joined: number
}

const GSM: Room = { alone: 160, joined: 153 }
const UCS: Room = { alone: 70, joined: 67 }

/** What one segment holds. */
export const ROOM = { 'GSM-7': GSM.alone, 'UCS-2': UCS.alone } as const

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

function segmentsOf(places: readonly number[], units: number, room: Room): number {
  if (units <= room.alone) return 1
  let segments = 1
  let used = 0
  for (const place of places) {
    if (used + place > room.joined) {
      segments += 1
      used = 0
    }
    used += place
  }
  return segments
}
