// The QR code that leads a payer's phone to a link's page: as a picture of its own, and as the path
// that draws it on a page.

import { encode, renderSVG } from 'uqr'

/** Readable even with a fingerprint or a fold on it. */
const ERROR_CORRECTION = 'M'

/** The white border that the standard requires: readers look for it. */
const QUIET_ZONE = 4

export function qrCode(url: string): string {
  return renderSVG(url, { ecc: ERROR_CORRECTION, border: QUIET_ZONE })
}

export interface QrPath {
  /** The modules of each side, the border included. */
  readonly size: number
  /** The dark modules, as the path of an SVG whose units are modules. */
  readonly path: string
}

export function qrPath(url: string): QrPath {
  const { size, data } = encode(url, { ecc: ERROR_CORRECTION, border: QUIET_ZONE })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return { size, path: dark.join('') }
}
