// Reads facts about a picture from its bytes: its kind, its size, and whether it is whole. The name
// of a file and the type that a browser sends decide nothing. SVG is not accepted: it can hold a
// script.

export const PICTURE_TYPES = { png: 'image/png', jpeg: 'image/jpeg' } as const

export type PictureKind = keyof typeof PICTURE_TYPES

export interface Picture {
  readonly kind: PictureKind
  readonly width: number
  readonly height: number
}

export const MOST_PICTURE_BYTES = 64 * 1024

/** A small file can unfold to a picture that fills a phone's memory. */
const [LEAST_POINTS, MOST_POINTS] = [16, 1024]

export const PICTURE_RULE =
  `a PNG or JPEG picture of at most ${MOST_PICTURE_BYTES / 1024} kB, ` +
  `${LEAST_POINTS} to ${MOST_POINTS} pixels wide and high`

/** Undefined if the bytes are no picture that may be shown. */
export function readPicture(bytes: Buffer): Picture | undefined {
  if (bytes.length > MOST_PICTURE_BYTES) return undefined
  const picture = readPng(bytes) ?? readJpeg(bytes)
  const isFit =
    picture !== undefined && [picture.width, picture.height].every((points) => isShowable(points))
  return isFit ? picture : undefined
}

function isShowable(points: number): boolean {
  return points >= LEAST_POINTS && points <= MOST_POINTS
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** The length of a chunk, its name and its check sum. */
const CHUNK_FRAME_BYTES = 12

const HEADER_BYTES = 13

/** The chunks must lead to the end of the file: nothing is missing, and nothing else is in it. */
function readPng(bytes: Buffer): Picture | undefined {
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return undefined
  let at = PNG_SIGNATURE.length
  let name = ''
  let header: number | undefined
  let hasPixels = false
  while (at + CHUNK_FRAME_BYTES <= bytes.length && name !== 'IEND') {
    const length = bytes.readUInt32BE(at)
    name = bytes.toString('latin1', at + 4, at + 8)
    if (header === undefined && (name !== 'IHDR' || length !== HEADER_BYTES)) return undefined
    if (header !== undefined && name === 'IHDR') return undefined
    header ??= at + 8
    hasPixels ||= name === 'IDAT' && length > 0
    at += CHUNK_FRAME_BYTES + length
  }
  const isWhole = name === 'IEND' && at === bytes.length
  if (header === undefined || !isWhole || !hasPixels) return undefined
  const [width, height] = [bytes.readUInt32BE(header), bytes.readUInt32BE(header + 4)]
  return { kind: 'png', width, height }
}

const [JPEG_START, JPEG_END] = [0xffd8, 0xffd9]

/** The segments that give the size: baseline, progressive and so on, without tables among them. */
const FRAMES = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
])

const START_OF_SCAN = 0xda

/** A frame's segment: its length, a precision, the height, the width. */
const FRAME_BYTES = 9

function readJpeg(bytes: Buffer): Picture | undefined {
  const isWhole =
    bytes.length > 4 &&
    bytes.readUInt16BE(0) === JPEG_START &&
    bytes.readUInt16BE(bytes.length - 2) === JPEG_END
  if (!isWhole) return undefined
  let at = 2
  let size: Pick<Picture, 'width' | 'height'> | undefined
  while (at + 2 + FRAME_BYTES <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1)
    if (marker === START_OF_SCAN) return size && { kind: 'jpeg', ...size }
    if (FRAMES.has(marker)) {
      size = { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
