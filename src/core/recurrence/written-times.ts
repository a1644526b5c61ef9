// Reads the times about a rule: where it is anchored, and what is taken from and added to it.

import { MINUTE } from '../time-units.ts'
import { type Wall, wallAt } from '../wall-clock.ts'
import type { Complain, Lines, WrittenTimes } from './lines.ts'
import { ascending, excerpt } from './parts.ts'
import type { WrittenTime } from './rule.ts'
import { MOST_DATES, tooComplex } from './steps.ts'
import { instantOf, readMoment, timeOfDayOf, wallOf } from './times.ts'

/** What is earlier is a slip of the pen; what is later leaves no century to look ahead in. */
const EARLIEST_START = Date.UTC(1900, 0, 1)
const LATEST_START = Date.UTC(2099, 11, 31, 23, 59, 59)

/** Where and against what times are read. */
export interface TimeContext {
  readonly zone: string
  readonly now: Date
  readonly complainOfRule: Complain
  readonly complainOfStart: Complain
}

/** On the wall clock, and the instant: of two at which the clock shows it, the one that is meant. */
export interface Anchor {
  readonly wall: Wall
  readonly instant: number
}

/** From the rule or from beside it, where they agree; from neither, the next full minute. */
export function readAnchor(
  sent: { readonly rule: readonly string[]; readonly start: string | undefined },
  setting: TimeContext,
): Anchor | undefined {
  const { zone, now, complainOfRule, complainOfStart } = setting
  const inRule = sent.rule.map((text) => readStart(text, zone, ofDtstart(complainOfRule)))
  const starts = sent.start === undefined ? [] : [readStart(sent.start, zone, complainOfStart)]
  const [anchor, ...others] = [...inRule, ...starts]
  if (inRule.length > 1) complainOfRule('must hold one DTSTART only')
  else if (others.some((one) => one !== undefined && one.instant !== anchor?.instant)) {
    complainOfStart('must be the same as the DTSTART of the rule')
  }
  if (inRule.length + starts.length > 0) return anchor
  const instant = nextMinute(now)
  return { wall: wallAt(instant, zone), instant }
}

/** In order, each of them once; a date stands for the time of day of the anchor. */
export function readDates(
  name: string,
  lines: readonly WrittenTimes[],
  anchor: Wall,
  { zone, complainOfRule }: TimeContext,
): readonly number[] {
  const texts = lines.flatMap((line) => line.texts)
  const moments = texts.map((text) => readDate(name, text, complainOfRule))
  const time = timeOfDayOf(anchor)
  return ascending(moments.flatMap((one) => (one ? [instantOf(one, zone, time)] : [])))
}

export function checkDates({ except, extra }: Lines): void {
  const count = [...except, ...extra].reduce((sum, { texts }) => sum + texts.length, 0)
  if (count > MOST_DATES) throw tooComplex(`must hold at most ${MOST_DATES} dates`)
}

export function checkAdded(added: readonly number[], origin: number, setting: TimeContext): void {
  if (added.some((instant) => instant < origin)) {
    setting.complainOfRule('must not hold an RDATE before the start')
  }
}

export function checkZones({ starts, except, extra }: Lines, setting: TimeContext): void {
  const isOther = ({ zone }: WrittenTimes) =>
    zone !== undefined && zone.toUpperCase() !== setting.zone.toUpperCase()
  if ([...starts, ...except, ...extra].some(isOther)) {
    setting.complainOfRule('must not name another TZID than the timezone')
  }
}

function readStart(text: string, zone: string, complain: Complain): Anchor | undefined {
  const moment = readMoment(text)
  const wall = moment && wallOf(moment, zone, 0)
  if (wall === undefined) complain('must be a local time such as 2026-01-31T09:00:00')
  else if (wall < EARLIEST_START || wall > LATEST_START) {
    complain('must lie in the years from 1900 to 2099')
  }
  return moment && wall !== undefined ? { wall, instant: instantOf(moment, zone, 0) } : undefined
}

function readDate(name: string, text: string, complain: Complain): WrittenTime | undefined {
  const moment = readMoment(text)
  if (moment === undefined) {
    complain(`must have ${name} such as 20260131T090000, not ${excerpt(text)}`)
  }
  return moment
}

/** What follows the name of `start` elsewhere, follows that of the rule here. */
function ofDtstart(complain: Complain): Complain {
  return (fault) => complain(`has a DTSTART that ${fault}`)
}

function nextMinute(now: Date): number {
  return (Math.floor(now.getTime() / MINUTE) + 1) * MINUTE
}
