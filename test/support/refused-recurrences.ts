// Refused schedules, each with its faulty field and the message.

interface Refused {
  readonly rule: string
  readonly start?: string
  readonly zone?: string
  readonly field?: 'rule' | 'start' | 'timezone'
  readonly message: RegExp
}

const NEVER = /^never comes due$/

const dates = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10).replaceAll('-', ''),
  )

const FREQUENCY: readonly Refused[] = [
  { rule: '', message: /./ },
  { rule: 'every day', message: /./ },
  { rule: 'RRULE:', message: /./ },
  { rule: 'FREQ', message: /./ },
  { rule: 'INTERVAL=2', message: /FREQ/ },
  { rule: 'FREQ=', message: /FREQ/ },
  { rule: 'FREQ=FORTNIGHTLY', message: /FREQ/ },
  { rule: 'FREQ=SECONDLY', message: /15 minutes|SECONDLY/ },
  { rule: 'FREQ=SECONDLY;INTERVAL=900', message: /15 minutes|SECONDLY/ },
  { rule: 'FREQ=MINUTELY', message: /must not be finer than 15 minutes/ },
  { rule: 'FREQ=MINUTELY;INTERVAL=14', message: /must not be finer than 15 minutes/ },
  { rule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0,14', message: /15 minutes/ },
  { rule: 'FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,50', message: /15 minutes/ },
  { rule: 'FREQ=DAILY;INTERVAL=0', message: /INTERVAL/ },
  { rule: 'FREQ=DAILY;INTERVAL=-1', message: /INTERVAL/ },
  { rule: 'FREQ=DAILY;INTERVAL=1.5', message: /INTERVAL/ },
  { rule: 'FREQ=DAILY;INTERVAL=99999999999', message: /INTERVAL/ },
]

const ENDS: readonly Refused[] = [
  { rule: 'FREQ=DAILY;COUNT=0', message: /COUNT/ },
  { rule: 'FREQ=DAILY;COUNT=-1', message: /COUNT/ },
  { rule: 'FREQ=DAILY;COUNT=1e3', message: /COUNT/ },
  { rule: 'FREQ=DAILY;COUNT=2;UNTIL=20270101', message: /COUNT.*UNTIL|UNTIL.*COUNT/ },
  { rule: 'FREQ=DAILY;UNTIL=someday', message: /UNTIL/ },
  { rule: 'FREQ=DAILY;UNTIL=20260230', message: /UNTIL/ },
  { rule: 'FREQ=DAILY;UNTIL=20260201T250000', message: /UNTIL/ },
]

const PARTS: readonly Refused[] = [
  { rule: 'FREQ=YEARLY;BYMONTH=0', message: /BYMONTH/ },
  { rule: 'FREQ=YEARLY;BYMONTH=13', message: /BYMONTH/ },
  { rule: 'FREQ=YEARLY;BYMONTH=1,', message: /BYMONTH/ },
  { rule: 'FREQ=MONTHLY;BYMONTHDAY=0', message: /BYMONTHDAY/ },
  { rule: 'FREQ=MONTHLY;BYMONTHDAY=32', message: /BYMONTHDAY/ },
  { rule: 'FREQ=MONTHLY;BYMONTHDAY=-32', message: /BYMONTHDAY/ },
  { rule: 'FREQ=WEEKLY;BYMONTHDAY=1', message: /BYMONTHDAY/ },
  { rule: 'FREQ=WEEKLY;BYDAY=XX', message: /BYDAY/ },
  { rule: 'FREQ=MONTHLY;BYDAY=0MO', message: /BYDAY/ },
  { rule: 'FREQ=MONTHLY;BYDAY=6MO', message: /BYDAY/ },
  { rule: 'FREQ=MONTHLY;BYDAY=-6MO', message: /BYDAY/ },
  { rule: 'FREQ=YEARLY;BYDAY=54MO', message: /BYDAY/ },
  { rule: 'FREQ=WEEKLY;BYDAY=1MO', message: /BYDAY/ },
  { rule: 'FREQ=DAILY;BYDAY=-1MO', message: /BYDAY/ },
  { rule: 'FREQ=HOURLY;BYDAY=1MO', message: /BYDAY/ },
  { rule: 'FREQ=MONTHLY;BYSETPOS=1', message: /BYSETPOS/ },
  { rule: 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0', message: /BYSETPOS/ },
  { rule: 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367', message: /BYSETPOS/ },
  { rule: 'FREQ=HOURLY;BYDAY=MO;BYSETPOS=1', message: /BYSETPOS/ },
  { rule: 'FREQ=MINUTELY;INTERVAL=30;BYMONTH=1;BYSETPOS=1', message: /BYSETPOS/ },
  { rule: 'FREQ=DAILY;BYHOUR=24', message: /BYHOUR/ },
  { rule: 'FREQ=DAILY;BYMINUTE=60', message: /BYMINUTE/ },
  { rule: 'FREQ=HOURLY;INTERVAL=5;BYHOUR=9', message: /INTERVAL that divides 24 with BYHOUR/ },
  { rule: 'FREQ=MINUTELY;INTERVAL=45;BYHOUR=9', message: /INTERVAL that divides 60 with BYHOUR/ },
  { rule: 'FREQ=HOURLY;BYMINUTE=0,30;BYSETPOS=1', message: /BYSETPOS with HOURLY/ },
  { rule: 'FREQ=HOURLY;BYMINUTE=0,50', message: /15 minutes/ },
  { rule: 'FREQ=HOURLY;BYHOUR=9,10;BYMINUTE=0,50', message: /15 minutes/ },
  { rule: 'FREQ=MINUTELY;BYHOUR=9', message: /15 minutes/ },
  { rule: 'FREQ=MINUTELY;INTERVAL=10;BYMINUTE=0,10', message: /15 minutes/ },
  { rule: 'FREQ=DAILY;BYSECOND=5', message: /BYSECOND/ },
  { rule: 'FREQ=YEARLY;BYYEARDAY=367', message: /BYYEARDAY from 1 to 366/ },
  { rule: 'FREQ=MONTHLY;BYYEARDAY=1', message: /BYYEARDAY with MONTHLY/ },
  { rule: 'FREQ=WEEKLY;BYYEARDAY=1', message: /BYYEARDAY with WEEKLY/ },
  { rule: 'FREQ=DAILY;BYYEARDAY=1', message: /BYYEARDAY with DAILY/ },
  { rule: 'FREQ=YEARLY;BYWEEKNO=0', message: /BYWEEKNO from 1 to 53/ },
  { rule: 'FREQ=WEEKLY;BYWEEKNO=1', message: /BYWEEKNO with WEEKLY/ },
  { rule: 'FREQ=HOURLY;BYWEEKNO=1', message: /BYWEEKNO with HOURLY/ },
  { rule: 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=2MO', message: /ordinal in BYDAY with BYWEEKNO/ },
  { rule: 'FREQ=YEARLY;BYEASTER=1', message: /must not hold BYEASTER/ },
  { rule: 'FREQ=MINUTELY;INTERVAL=60001', message: /INTERVAL from 1 to 60000/ },
  { rule: 'FREQ=WEEKLY;WKST=XX', message: /WKST/ },
  { rule: 'FREQ=WEEKLY;X-MOON=FULL', message: /X-MOON/ },
  { rule: 'FREQ=DAILY;COUNT=2;COUNT=3', message: /COUNT/ },
  { rule: 'FREQ=DAILY;freq=DAILY', message: /FREQ/ },
]

const LINES: readonly Refused[] = [
  { rule: 'RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY', message: /RRULE/ },
  { rule: 'RDATE:20260301T090000', message: /RRULE|FREQ/ },
  { rule: 'RRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY', message: /EXRULE/ },
  { rule: 'RRULE:FREQ=DAILY\nSUMMARY:Rent', message: /SUMMARY/ },
  { rule: 'RRULE:FREQ=DAILY\nEXDATE:yesterday', message: /EXDATE/ },
  { rule: 'RRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Paris:20260201T090000', message: /TZID|EXDATE/ },
  { rule: 'RRULE:FREQ=DAILY\nRDATE:20260230T090000', message: /RDATE/ },
  {
    rule: 'RRULE:FREQ=DAILY\nRDATE:20251231T090000',
    start: '2026-01-01T09:00:00',
    message: /RDATE/,
  },
]

const NEVERS: readonly Refused[] = [
  { rule: 'FREQ=DAILY;UNTIL=20251231', start: '2026-01-01', message: NEVER },
  { rule: 'FREQ=DAILY;UNTIL=20260101T085959', start: '2026-01-01T09:00:00', message: NEVER },
  { rule: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20260104', start: '2026-01-01', message: NEVER },
  {
    rule: 'RRULE:FREQ=DAILY;COUNT=2\nEXDATE:20260101T090000,20260102T090000',
    start: '2026-01-01T09:00:00',
    message: NEVER,
  },
  { rule: 'FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=2', message: NEVER },
  { rule: 'FREQ=DAILY;BYDAY=MO;BYSETPOS=-2', message: NEVER },
  { rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-30', message: NEVER },
  { rule: 'FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=2MO', message: NEVER },
]

const MEETS_NONE = /^has an INTERVAL that meets none of its hours or minutes$/

const INTERVALS: readonly Refused[] = [
  { rule: 'FREQ=HOURLY;INTERVAL=2;BYHOUR=9,11', start: '2026-01-01T10:00:00', message: MEETS_NONE },
  {
    rule: 'FREQ=MINUTELY;INTERVAL=30;BYHOUR=9;BYMINUTE=15',
    start: '2026-01-01',
    message: MEETS_NONE,
  },
  {
    rule: 'FREQ=MINUTELY;INTERVAL=60;BYMINUTE=15;COUNT=3\nRDATE:20270101T090000',
    start: '2026-01-01',
    message: MEETS_NONE,
  },
]

const STARTS: readonly Refused[] = [
  ...['soon', '2026-02-30', '2026-13-01', '2026-01-01T25:00:00', '09:00', '1767225600'].map(
    (start): Refused => ({ rule: 'FREQ=DAILY', start, field: 'start', message: /./ }),
  ),
  {
    rule: 'DTSTART:20260101T090000\nRRULE:FREQ=DAILY',
    start: '2026-01-01T10:00:00',
    field: 'start',
    message: /DTSTART/,
  },
  { rule: 'DTSTART:20260101\nDTSTART:20260101\nRRULE:FREQ=DAILY', message: /DTSTART/ },
  { rule: 'DTSTART:20260230T090000\nRRULE:FREQ=DAILY', message: /DTSTART/ },
  { rule: 'FREQ=DAILY;DTSTART=whenever', message: /DTSTART/ },
  { rule: 'DTSTART;TZID=Europe/Paris:20260101T090000\nRRULE:FREQ=DAILY', message: /TZID|Europe/ },
]

const ZONES: readonly Refused[] = ['Mars/Base', '+03:00', 'UTC+3', ''].map((zone) => ({
  rule: 'FREQ=DAILY',
  zone,
  field: 'timezone',
  message: /./,
}))

/** Rules that are just within the limits. */
export const BARELY_TAKEN: readonly string[] = [
  'FREQ=MINUTELY;INTERVAL=15',
  'FREQ=DAILY;BYHOUR=23;BYMINUTE=0,15,30,45',
  'FREQ=HOURLY;BYMINUTE=0,15,30,45',
  'FREQ=HOURLY;INTERVAL=2;BYMINUTE=0,50',
  'FREQ=HOURLY;BYHOUR=9,11;BYMINUTE=0,50',
  'FREQ=MINUTELY;BYMINUTE=0,15,30,45',
  'FREQ=MINUTELY;INTERVAL=20;BYMINUTE=0,10,20,30,40,50',
  'FREQ=DAILY;BYHOUR=0,23;BYMINUTE=0,15,30,45',
  'FREQ=DAILY;INTERVAL=1000',
  'FREQ=DAILY;COUNT=1',
  'FREQ=YEARLY;BYMONTH=1,12',
  'FREQ=MONTHLY;BYMONTHDAY=31,-31',
  'FREQ=MONTHLY;BYDAY=5MO,-5SU',
  'FREQ=YEARLY;BYDAY=53MO,-53SU',
  'FREQ=YEARLY;BYMONTH=3;BYDAY=5MO,-5SU',
  'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366,-366',
  'FREQ=DAILY;BYHOUR=0;BYMINUTE=0',
  'FREQ=DAILY;BYHOUR=23;BYMINUTE=59',
  `RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:${dates(366)}\nRDATE;VALUE=DATE:${dates(366)}`,
  'RRULE:FREQ=DAILY\nRDATE:20260101T090000',
  'FREQ=DAILY;UNTIL=20260101T090000',
]

export const REFUSED: readonly Refused[] = [
  ...FREQUENCY,
  ...ENDS,
  ...PARTS,
  ...LINES,
  ...NEVERS,
  ...INTERVALS,
  ...STARTS,
  ...ZONES,
]
