// The figures of this moment, large enough to be read from the other end of a room.

import { Live } from './live.tsx'
import type { ShownFigures } from './shown-now.ts'

const TILES = [
  ['tile.charges', 'Charges a second'],
  ['tile.success', 'Approved', 'of those in half a minute'],
  ['tile.p50', 'Half decided within', 'p50 of half a minute'],
  ['tile.p99', '99 % decided within', 'p99 of half a minute'],
  ['tile.owed', 'Oldest owed row'],
  ['tile.parked', 'Parked', undefined, '/admin/parked'],
  ['tile.workers', 'Workers'],
  ['tile.apis', 'Intakes', 'answering requests'],
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
