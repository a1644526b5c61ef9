// Makes pictures of pages small: a page has few colours, and a PNG with a palette needs one byte
// for each of its points instead of four.

import { crc32, deflateSync, inflateSync } from 'node:zlib'

interface Picture {
  readonly width: number
  readonly height: number
  /** RGB, row by row. */
  readonly points: Buffer
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** The limit of a palette. */
const MOST_COLOURS = 256

/** Two pictures of one height side by side. */
export function sideBySide(left: Buffer, right: Buffer): Buffer {
  const halves = [decoded(left), decoded(right)]
  const height = Math.max(...halves.map((half) => half.height))
  const rows = Array.from({ length: height }, (_, y) => halves.map((half) => rowOf(half, y))).flat()
  const width = halves.reduce((sum, half) => sum + half.width, 0)
  return encoded({ width, height, points: Buffer.concat(rows) })
}

function rowOf({ width, height, points }: Picture, y: number): Buffer {
  const at = Math.min(y, height - 1) * width * 3
  return points.subarray(at, at + width * 3)
}

/** The format of a browser's pictures: eight bits a channel, not interlaced. */
function decoded(png: Buffer): Picture {
  const chunks = chunksOf(png)
  const header = Buffer.concat(chunks.filter(({ type }) => type === 'IHDR').map((one) => one.data))
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const depth = header.readUInt8(9) === 6 ? 4 : 3
  const data = chunks.filter(({ type }) => type === 'IDAT').map((one) => one.data)
  const rows = unfiltered(inflateSync(Buffer.concat(data)), width * depth, depth)
  const points = Buffer.alloc(width * height * 3)
  for (let i = 0; i < width * height; i += 1) rows.copy(points, i * 3, i * depth, i * depth + 3)
  return { width, height, points }
}

function chunksOf(png: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks = []
  let at = SIGNATURE.length
  while (at < png.length) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

/** Each row begins with its filter: the way in which it is added to the points beside and above. */
function unfiltered(data: Buffer, stride: number, depth: number): Buffer {
  const height = data.length / (stride + 1)
  const out = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x >= depth ? (out[at - depth] ?? 0) : 0
      const above = y > 0 ? (out[at - stride] ?? 0) : 0
      const corner = x >= depth && y > 0 ? (out[at - stride - depth] ?? 0) : 0
      out[at] = (data[at + y + 1] ?? 0) + guess(filter, left, above, corner)
    }
  }
  return out
}

function guess(filter: number, left: number, above: number, corner: number): number {
  if (filter < 3) return [0, left, above][filter] ?? 0
  if (filter === 3) return (left + above) >> 1
  const [a, b, c] = [above - corner, left - corner, above + left - 2 * corner].map(Math.abs)
  if (a === undefined || b === undefined || c === undefined) return 0
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

function encoded({ width, height, points }: Picture): Buffer {
  const { palette, indexes } = inColours(points)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.of(0),
    indexes.subarray(y * width, (y + 1) * width),
  ]).flat()
  const data = deflateSync(Buffer.concat(rows), { level: 9 })
  const chunks = [chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', data)]
  return Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))])
}

/** The most common colours stay; each of the rare others becomes the nearest of those. */
function inColours(points: Buffer): { readonly palette: Buffer; readonly indexes: Buffer } {
  const counts = new Map<number, number>()
  for (let at = 0; at < points.length; at += 3) {
    const colour = points.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const common = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour)
  const known = new Map([...counts.keys()].map((colour) => [colour, likest(colour, common)]))
  for (const [index, colour] of common.entries()) known.set(colour, index)
  const indexes = Buffer.alloc(points.length / 3)
  for (let i = 0; i < indexes.length; i += 1) {
    indexes[i] = known.get(points.readUIntBE(i * 3, 3)) ?? 0
  }
  const palette = Buffer.alloc(common.length * 3)
  for (const [index, colour] of common.entries()) palette.writeUIntBE(colour, index * 3, 3)
  return { palette, indexes }
}

function likest(colour: number, among: readonly number[]): number {
  const distances = among.map((one) =>
    [16, 8, 0].reduce((sum, by) => sum + (((one >> by) & 255) - ((colour >> by) & 255)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
