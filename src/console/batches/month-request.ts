// Reads which batches to show: a month, a mode, a team, a day.

import { MODES, type Mode } from '../../accounts/key.ts'
import { EASTERN } from '../../core/business-day.ts'
import { dateIn, daysOfMonth, isMonth, monthOfDate, monthPlus } from '../../core/month.ts'
import type { Wanted } from '../../settlement/month-of-batches.ts'
import type { World } from '../../world.ts'
import { accountsAsked, choiceOf, type QueryParams } from '../query.ts'

export const BATCHES_PATH = '/admin/batches'

export interface MonthRequest {
  readonly month: string
  /** Undefined for both modes. */
  readonly mode: Mode | undefined
  /** A day of the month, or undefined for the whole month. */
  readonly day: string | undefined
  readonly today: string
  readonly wanted: Wanted
  /** Why no team was found by the name. */
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
