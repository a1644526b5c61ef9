// Shortcuts to the last days of a list with date filters.

import { after, DAY } from '../../core/time-units.ts'
import { dateText } from '../../core/whole-days.ts'
import type { World } from '../../world.ts'
import { accountsAsked, FIRST_PAGE, pathWith, type QueryParams } from '../query.ts'

/** The last days, today included, in UTC as the dates of the filters are. */
const DAYS = [
  [1, 'Today'],
  [7, '7 days'],
  [30, '30 days'],
] as const

export function DayChoices({ path, query, now }: { path: string; query: QueryParams; now: Date }) {
  return (
    <nav class="choices" aria-label="Days">
      {DAYS.map(([count, words]) => {
        const [from, to] = [dateText(after(now, -(count - 1) * DAY)), dateText(now)]
        return (
          <a
            key={count}
            href={pathWith(path, query, { from, to, ...FIRST_PAGE })}
            aria-current={query.from === from && query.to === to ? 'true' : undefined}
          >
            {words}
          </a>
        )
      })}
    </nav>
  )
}

interface AccountFilters {
  readonly team: string | undefined
  readonly mode: string | undefined
}

/**
 * The time of the only account that the filters leave, which may have a sandbox clock; real time if
 * they leave more. Without a live gateway a team has payments of its sandbox alone.
 */
export async function timeAsked(world: World, { team, mode }: AccountFilters): Promise<Date> {
  if (team === undefined) return world.clock.now()
  const only = mode ?? (world.gateways.ofMode('live').length > 0 ? undefined : 'sandbox')
  const { accounts = [] } = await accountsAsked(world, { team })
  const [first, ...others] = accounts.filter((one) => only === undefined || one.mode === only)
  const isOne = first !== undefined && others.length === 0
  return isOne ? world.accountNow(first) : world.clock.now()
}
