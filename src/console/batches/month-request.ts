// Reads which batches to show: a month, a mode, a team, a day.

import { MODES, type Mode } from '../../accounts/key.ts'
import { EASTERN } from '../../core/business-day.ts'
import { dateIn, daysOfMonth, isMonth, monthOfDate, monthPlus } from '../../core/month.ts'
import type { Account } from '../../generated/client.ts'
import type { Wanted } from '../../settlement/month-of-batches.ts'
import type { World } from '../../world.ts'
import { accountsAsked, choiceOf, notAChoice, type QueryParams, unknownNotes } from '../query.ts'

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
  /** Invalid parts of the address, which have no effect. */
  readonly ignored: readonly string[]
}

export async function readMonthRequest(world: World, query: QueryParams): Promise<MonthRequest> {
  const { month: sent = '' } = query
  const { accounts, accountIds, fault } = await accountsAsked(world, query)
  const mode = choiceOf(query, 'mode', MODES)
  const clockAt = await clockShown(world, accounts ?? [], mode)
  const today = dateIn(EASTERN, world.accountNow({ clockAt }))
  const month = isMonth(sent) ? sent : monthOfDate(today)
  const asked = { month, mode, day: daysOfMonth(month).find((day) => day === query.day) }
  return {
    ...asked,
    today,
    wanted: { first: `${month}-01`, next: `${monthPlus(month, 1)}-01`, accountIds },
    fault,
    ignored: ignoredOf(query, asked),
  }
}

/** That of a team's sandbox account, unless the page is about its live one. */
async function clockShown(
  world: World,
  accounts: readonly Account[],
  mode: Mode | undefined,
): Promise<Date | null> {
  const clockAt = accounts.find((one) => one.clockAt !== null)?.clockAt ?? null
  if (clockAt === null || mode === 'live') return null
  if (mode === 'sandbox') return clockAt
  const accountId = { in: accounts.filter((one) => one.mode === 'live').map(({ id }) => id) }
  const live = await world.db.prisma.batch.findFirst({ where: { accountId }, select: { id: true } })
  return live === null ? clockAt : null
}

function ignoredOf(
  query: QueryParams,
  asked: Pick<MonthRequest, 'month' | 'mode' | 'day'>,
): readonly string[] {
  const { month, mode, day } = query
  const isKept = (sent: string | undefined, used: string | undefined) =>
    sent === undefined || sent === used
  return [
    ...(isKept(month, asked.month) ? [] : [`“${month}” is not a month such as 2026-03.`]),
    ...(isKept(day, asked.day) ? [] : [`“${day}” is not a day of the month that is shown.`]),
    ...(isKept(mode, asked.mode) ? [] : [notAChoice(mode ?? '')]),
    ...unknownNotes(query, ['month', 'mode', 'day', 'team', 'page']),
  ]
}
