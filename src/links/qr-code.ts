// The picture that leads a payer's phone to a link's page.

import { renderSVG } from 'uqr'

/** Readable with a thumb's print or a fold on it. */
const ERROR_CORRECTION = 'M'

/** Modules of white around it, as the standard wants: readers look for them. */
const QUIET_ZONE = 4

export function qrCode(url: string): string {
  return renderSVG(url, { ecc: ERROR_CORRECTION, border: QUIET_ZONE })
}
