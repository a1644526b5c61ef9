// A QR code on a page. It is dark on light in both schemes, since readers expect that.

import type { QrPath } from '../../links/qr-code.ts'

export function QrCode({ path: { size, path }, label }: { path: QrPath; label: string }) {
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" shape-rendering="crispEdges" d={path} />
    </svg>
  )
}
