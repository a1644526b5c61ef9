// The QR code that leads a payer's phone to a link's page.

import { renderSVG } from 'uqr'

/** Readable even with a fingerprint or a fold on it. */
const ERROR_CORRECTION = 'M'

/** The white border that the standard requires: readers look for it. */
const QUIET_ZONE = 4

export function qrCode(url: string): string {
  return renderSVG(url, { ecc: ERROR_CORRECTION, border: QUIET_ZONE })
}
