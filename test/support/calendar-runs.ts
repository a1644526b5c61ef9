// Calendar rules at 09:00 in New York, in winter, and the dates that they select.

interface Dates {
  readonly name: string
  readonly rule: string
  /** A date. */
  readonly start: string
  /** The first ones, or all of them if the rule ends. */
  readonly dates: string
}

const SHORT_MONTHS: readonly Dates[] = [
  {
    name: '29 February, every year',
    rule: 'FREQ=YEARLY',
    start: '2028-02-29',
    dates: '2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29',
  },
  {
    name: '29 February, where a century has none',
    rule: 'FREQ=YEARLY;INTERVAL=4',
    start: '2096-02-29',
    dates: '2096-02-29 2100-02-28 2104-02-29',
  },
  {
    name: 'the 31st, every month',
    rule: 'FREQ=MONTHLY',
    start: '2026-01-31',
    dates: '2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30',
  },
  {
    name: 'the 31st of the start, in some months',
    rule: 'FREQ=MONTHLY;BYMONTH=2,4,5',
    start: '2026-01-31',
    dates: '2026-02-28 2026-04-30 2026-05-31 2027-02-28',
  },
  {
    name: 'the 31st of the start, in one month of the year',
    rule: 'FREQ=YEARLY;BYMONTH=2',
    start: '2027-01-31',
    dates: '2027-02-28 2028-02-29 2029-02-28',
  },
  {
    name: 'the 31st of every month of the year',
    rule: 'FREQ=YEARLY;BYMONTHDAY=31',
    start: '2026-01-31',
    dates: '2026-01-31 2026-02-28 2026-03-31 2026-04-30',
  },
  {
    name: 'the 31st as a limit of days',
    rule: 'FREQ=DAILY;BYMONTHDAY=31',
    start: '2026-01-01',
    dates: '2026-01-31 2026-02-28 2026-03-31 2026-04-30',
  },
  {
    name: 'the 30th and the 31st, once where they are one',
    rule: 'FREQ=MONTHLY;BYMONTHDAY=30,31',
    start: '2026-01-01',
    dates: '2026-01-30 2026-01-31 2026-02-28 2026-03-30 2026-03-31 2026-04-30 2026-05-30',
  },
  {
    name: 'the 31st and the last day, once',
    rule: 'FREQ=MONTHLY;BYMONTHDAY=31,-1;COUNT=3',
    start: '2026-01-01',
    dates: '2026-01-31 2026-02-28 2026-03-31',
  },
  {
    name: 'the 31st day from the end, where there is one',
    rule: 'FREQ=MONTHLY;BYMONTHDAY=-31',
    start: '2026-01-01',
    dates: '2026-01-01 2026-03-01 2026-05-01 2026-07-01 2026-08-01',
  },
  {
    name: 'the second of the last dates, after they have become one',
    rule: 'FREQ=MONTHLY;BYMONTHDAY=29,30,31;BYSETPOS=2',
    start: '2026-01-01',
    dates: '2026-01-30 2026-03-30 2026-04-30 2026-05-30',
  },
]

const WEEKDAYS: readonly Dates[] = [
  {
    name: 'the last Friday of the month',
    rule: 'FREQ=MONTHLY;BYDAY=-1FR',
    start: '2026-01-01',
    dates: '2026-01-30 2026-02-27 2026-03-27 2026-04-24',
  },
  {
    name: 'the second Monday of the month',
    rule: 'FREQ=MONTHLY;BYDAY=2MO',
    start: '2026-01-01',
    dates: '2026-01-12 2026-02-09 2026-03-09 2026-04-13',
  },
  {
    name: 'the fifth Friday, where there is one',
    rule: 'FREQ=MONTHLY;BYDAY=5FR',
    start: '2026-01-01',
    dates: '2026-01-30 2026-05-29 2026-07-31',
  },
  {
    name: 'the last weekday of the month',
    rule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    start: '2026-01-01',
    dates: '2026-01-30 2026-02-27 2026-03-31 2026-04-30 2026-05-29',
  },
  {
    name: 'Fridays that are the 13th',
    rule: 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    start: '1997-09-02',
    dates: '1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13',
  },
  {
    name: 'the twentieth Monday of the year',
    rule: 'FREQ=YEARLY;BYDAY=20MO',
    start: '1997-05-19',
    dates: '1997-05-19 1998-05-18 1999-05-17',
  },
  {
    name: 'the Monday of week 20',
    rule: 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    start: '1997-01-01',
    dates: '1997-05-12 1998-05-11 1999-05-17',
  },
  {
    name: 'the weekday of the start in the last week of the year',
    rule: 'FREQ=YEARLY;BYWEEKNO=-1',
    start: '2026-01-02',
    dates: '2027-01-01 2027-12-31 2028-12-29 2029-12-28',
  },
  {
    name: 'week 53, where there is one',
    rule: 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH',
    start: '2026-01-01',
    dates: '2026-12-31 2032-12-30 2037-12-31',
  },
  {
    name: 'week 1 of weeks that begin on Sunday',
    rule: 'FREQ=YEARLY;WKST=SU;BYWEEKNO=1;BYDAY=SU',
    start: '2026-01-01',
    dates: '2026-01-04 2027-01-03 2028-01-02 2028-12-31',
  },
  {
    name: 'the 1st, the 100th and the 200th day of every third year',
    rule: 'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    start: '1997-01-01',
    dates:
      '1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 ' +
      '2003-01-01 2003-04-10 2003-07-19 2006-01-01',
  },
  {
    name: 'the 366th day of a year, where there is one',
    rule: 'FREQ=YEARLY;BYYEARDAY=366',
    start: '2026-01-01',
    dates: '2028-12-31 2032-12-31',
  },
  {
    name: 'the last day of a year, if that is a Friday',
    rule: 'FREQ=YEARLY;BYYEARDAY=-1;BYDAY=FR',
    start: '2026-01-01',
    dates: '2027-12-31 2032-12-31 2038-12-31',
  },
  {
    name: 'the fourth Thursday of November',
    rule: 'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
    start: '2026-01-01',
    dates: '2026-11-26 2027-11-25 2028-11-23',
  },
  {
    name: 'the Tuesday after a Monday in November, every four years',
    rule: 'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    start: '1996-11-05',
    dates: '1996-11-05 2000-11-07 2004-11-02',
  },
  {
    name: 'every other week that begins on Monday',
    rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    start: '1997-08-05',
    dates: '1997-08-05 1997-08-10 1997-08-19 1997-08-24',
  },
  {
    name: 'every other week that begins on Sunday',
    rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    start: '1997-08-05',
    dates: '1997-08-05 1997-08-17 1997-08-19 1997-08-31',
  },
  {
    name: 'from the first that matches, and counts from there',
    rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=2',
    start: '2026-01-01',
    dates: '2026-01-05 2026-01-12',
  },
  {
    name: 'every third day',
    rule: 'FREQ=DAILY;INTERVAL=3;COUNT=3',
    start: '2026-02-27',
    dates: '2026-02-27 2026-03-02 2026-03-05',
  },
]

const EXCEPTIONS: readonly Dates[] = [
  {
    name: 'a date taken out is counted all the same',
    rule: 'RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260102T090000',
    start: '2026-01-01',
    dates: '2026-01-01 2026-01-03',
  },
  {
    name: 'dates taken out, as instants and as days, in several lines',
    rule: 'RRULE:FREQ=DAILY;COUNT=5\nEXDATE:20260102T140000Z\nEXDATE;VALUE=DATE:20260103,20260105',
    start: '2026-01-01',
    dates: '2026-01-01 2026-01-04',
  },
  {
    name: 'a time at which nothing is due, taken out',
    rule: 'RRULE:FREQ=DAILY;COUNT=2\nEXDATE:20260102T100000',
    start: '2026-01-01',
    dates: '2026-01-01 2026-01-02',
  },
  {
    name: 'dates added, which are not counted, and once where one is due anyway',
    rule: 'RRULE:FREQ=WEEKLY;COUNT=2\nRDATE:20260103T090000,20260108T090000\nRDATE;VALUE=DATE:20260201',
    start: '2026-01-01',
    dates: '2026-01-01 2026-01-03 2026-01-08 2026-02-01',
  },
  {
    name: 'a date both added and taken out',
    rule: 'RRULE:FREQ=WEEKLY;COUNT=2\r\nRDATE:20260103T090000\r\nEXDATE:20260103T090000\r\n',
    start: '2026-01-01',
    dates: '2026-01-01 2026-01-08',
  },
  {
    name: 'nothing but what was added after all else was taken out',
    rule: 'RRULE:FREQ=DAILY;COUNT=1\nEXDATE:20260101T090000\nRDATE:20260105T090000',
    start: '2026-01-01',
    dates: '2026-01-05',
  },
]

export const CALENDAR_RUNS = [...SHORT_MONTHS, ...WEEKDAYS, ...EXCEPTIONS]
