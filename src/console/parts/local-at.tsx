// An instant by the clock on somebody's wall, with the same in UTC beside it.

import { MINUTE } from '../../core/time-units.ts'
import { wallAt } from '../../core/wall-clock.ts'

/** `2026-11-20 20:00`, to the minute. */
export function localMinuteText(instant: Date, zone: string): string {
  const wall = Math.floor(wallAt(instant.getTime(), zone) / MINUTE) * MINUTE
  return new Date(wall).toISOString().slice(0, 16).replace('T', ' ')
}

export function LocalAt({ instant, zone }: { instant: Date; zone: string }) {
  const utc = instant.toISOString()
  return (
    <span class="local">
      <time class="number" dateTime={utc}>
        {localMinuteText(instant, zone)}
      </time>{' '}
      <span class="quiet">
        {zone === 'UTC' ? 'UTC' : `${zone.replaceAll('_', ' ')} · ${utc.slice(11, 16)} UTC`}
      </span>
    </span>
  )
}
