// Rules that would take long to read or to continue.

const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join()

export const EVERY_DAY = 'MO,TU,WE,TH,FR,SA,SU'
export const EVERY_QUARTER = `BYHOUR=${HOURS};BYMINUTE=0,15,30,45`

/** 360 days from the first of a month, far enough from now for any test. */
const ADDED = Array.from({ length: 360 }, (_, day) =>
  new Date(Date.UTC(2031, 0, 1 + day)).toISOString().replace(/-|T.*/g, ''),
).join()

/** Each lies in another year, whose offsets are looked up. */
const CENTURIES = Array.from({ length: 990 }, (_, at) => `${2032 + 8 * at}0701T023000`).join()

const ordinals = Array.from({ length: 53 }, (_, at) =>
  EVERY_DAY.split(',').map((day) => `${at + 1}${day}`),
).join()

/** The rule alone is never due: only the added days are. */
export const NEVER_BY_ITSELF = `RRULE:FREQ=DAILY;${EVERY_QUARTER};BYSETPOS=97\nRDATE;VALUE=DATE:${ADDED}`

export const COSTLY_RULES: readonly (readonly [name: string, rule: string])[] = [
  ['a position beyond each day', NEVER_BY_ITSELF],
  [
    'a million counted year by year',
    `FREQ=YEARLY;BYDAY=${EVERY_DAY};${EVERY_QUARTER};BYSETPOS=366;COUNT=1000000`,
  ],
  ['a million counted on Mondays', 'FREQ=MINUTELY;INTERVAL=15;BYDAY=MO;COUNT=999999'],
  ['one too many counted', 'FREQ=DAILY;COUNT=10001'],
  ['more than a number holds', 'FREQ=DAILY;COUNT=999999999999'],
  [
    'few counted over centuries',
    `FREQ=YEARLY;BYDAY=${EVERY_DAY};${EVERY_QUARTER};BYSETPOS=366;COUNT=10000`,
  ],
  ['too many dates', `RRULE:FREQ=DAILY\nRDATE:${`${ADDED},${ADDED},${ADDED}`}`],
  ['dates in all centuries', `RRULE:FREQ=DAILY;COUNT=1\nEXDATE:${CENTURIES}`],
  ['added dates in all centuries', `RRULE:FREQ=DAILY;COUNT=1\nRDATE:${CENTURIES}`],
  ['too long a text', `FREQ=DAILY;${' '.repeat(40_000)}`],
  ['minutes that hardly ever meet', 'FREQ=MINUTELY;INTERVAL=59999;BYMINUTE=0;BYDAY=MO'],
  ['hours that never meet their day', 'FREQ=HOURLY;INTERVAL=168;BYDAY=TU;BYMONTH=1'],
  [
    'every day and every ordinal',
    `FREQ=YEARLY;BYMONTHDAY=${Array.from({ length: 31 }, (_, at) => at + 1)};BYDAY=${ordinals}`,
  ],
]
