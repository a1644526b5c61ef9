// Which batches somebody wants to see: a month, a mode, a team, a day.

import { MODES, type Mode } from '../../accounts/key.ts'
import { EASTERN } from '../../core/business-day.ts'
import { dateIn, daysOfMonth, isMonth, monthOfDate, monthPlus } from '../../core/month.ts'
import type { Wanted } from '../../settlement/month-of-batches.ts'
import type { World } from '../../world.ts'
import { accountsAsked, choiceOf, type QueryParams } from '../query.ts'

export const BATCHES_PATH = '/admin/batches'

export interface MonthRequest {
  readonly month: string
  /** Undefined where it is all the same. */
  readonly mode: Mode | undefined
  /** One of the month's, or all of it. */
  readonly day: string | undefined
  readonly today: string
  readonly wanted: Wanted
  /** Why the team's name helps nobody. */
  readonly fault: string | undefined
}

export async function readMonthRequest(world: World, query: QueryParams): Promise<MonthRequest> {
  const today = dateIn(EASTERN, world.clock.now())
  const { month: sent = '' } = query
  const month = isMonth(sent) ? sent : monthOfDate(today)
  const { accounts, fault } = await accountsAsked(world, query)
  const accountIds = accounts?.map(({ id }) => id)
  return {
    month,
    mode: choiceOf(query, 'mode', MODES),
    day: daysOfMonth(month).find((day) => day === query.day),
    today,
    wanted: { first: `${month}-01`, next: `${monthPlus(month, 1)}-01`, accountIds },
    fault,
  }
}
