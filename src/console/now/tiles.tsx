// The figures of this moment, large enough to be read from the other end of a room.

import { Live } from './live.tsx'
import type { ShownFigures } from './shown-now.ts'

const TILES = [
  ['tile.charges', 'Charges a second'],
  ['tile.success', 'Approval rate', 'last 30 seconds'],
  ['tile.p50', 'Median latency', 'last 30 seconds'],
  ['tile.p99', 'p99 latency', 'last 30 seconds'],
  ['tile.owed', 'Oldest overdue item'],
  ['tile.parked', 'Needs attention', undefined, '/admin/parked'],
  ['tile.workers', 'Workers'],
  ['tile.apis', 'API servers', 'answering requests'],
] as const

export function Tiles({ of }: { of: ShownFigures }) {
  return (
    <dl class="tiles">
      {TILES.map(([name, title, note, path]) => (
        <div key={name} class="card tile">
          <dt>{path === undefined ? title : <a href={path}>{title}</a>}</dt>
          <dd>
            <Live name={name} of={of} class="figure number" />
            <span class="quiet">{note ?? <Live name={`${name}.note`} of={of} />}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
