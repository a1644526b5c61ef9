// Reads the times of a rule: its anchor, and the dates that are excluded and added.

import { MINUTE } from '../time-units.ts'
import { dayOf, type Wall, wallAt } from '../wall-clock.ts'
import type { Complain, Lines, WrittenTimes } from './lines.ts'
import { ascending, excerpt } from './parts.ts'
import { LAST_DAY } from './periods.ts'
import type { WrittenTime } from './rule.ts'
import { MOST_DATES, tooComplex } from './steps.ts'
import { instantOf, readMoment, timeOfDayOf, wallOf } from './times.ts'

/** Earlier times are typing mistakes. */
const EARLIEST = Date.UTC(1900, 0, 1)

/** A later start leaves no century to search in. */
const LATEST_START = Date.UTC(2099, 11, 31, 23, 59, 59)

const START_FAULT = 'must lie in the years from 1900 to 2099'

/** The zone and the fault functions for reading times. */
export interface TimeContext {
  readonly zone: string
  readonly now: Date
  readonly complainOfRule: Complain
  readonly complainOfStart: Complain
}

/** The local time, and its instant: if the clock shows it twice, the one that is meant. */
export interface Anchor {
  readonly wall: Wall
  readonly instant: number
}

/** The rule and `start` must agree on it. Without either it is the next full minute. */
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
  const wall = wallAt(instant, zone)
  if (!isStart(wall)) complainOfStart(`${START_FAULT}: with a later clock, send a start`)
  return { wall, instant }
}

/** The dates in order, each once. A date alone gets the anchor's time of day. */
export function readDates(
  name: string,
  lines: readonly WrittenTimes[],
  anchor: Wall,
  { zone, complainOfRule }: TimeContext,
): readonly number[] {
  const texts = lines.flatMap((line) => line.texts)
  const time = timeOfDayOf(anchor)
  const moments = texts.flatMap((text) => readDate(name, text, complainOfRule) ?? [])
  // Before a local time is converted, the offsets of its year are looked up.
  if (moments.some((one) => !isSearched(wallOf(one, 'UTC', time)))) {
    throw tooComplex(`must have every ${name} in the years from 1900 to 2199`)
  }
  return ascending(moments.map((one) => instantOf(one, zone, time)))
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
    setting.complainOfRule(`must not name another TZID than the timezone, ${setting.zone}`)
  }
}

function readStart(text: string, zone: string, complain: Complain): Anchor | undefined {
  const moment = readMoment(text)
  const wall = moment && wallOf(moment, zone, 0)
  if (wall === undefined) complain('must be a local time such as 2026-01-31T09:00:00')
  else if (!isStart(wall)) complain(START_FAULT)
  return moment && wall !== undefined ? { wall, instant: instantOf(moment, zone, 0) } : undefined
}

function isStart(wall: Wall): boolean {
  return wall >= EARLIEST && wall <= LATEST_START
}

function isSearched(wall: Wall): boolean {
  return wall >= EARLIEST && dayOf(wall) <= LAST_DAY
}

function readDate(name: string, text: string, complain: Complain): WrittenTime | undefined {
  const moment = readMoment(text)
  if (moment === undefined) {
    complain(`must have ${name} such as 20260131T090000, not ${excerpt(text)}`)
  }
  return moment
}

/** Makes faults of DTSTART name the rule instead of `start`. */
function ofDtstart(complain: Complain): Complain {
  return (fault) => complain(`has a DTSTART that ${fault}`)
}

function nextMinute(now: Date): number {
  return (Math.floor(now.getTime() / MINUTE) + 1) * MINUTE
}
