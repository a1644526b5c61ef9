// Schedules whose runs can be checked with a clock of the zone: New York's, if none is named.

interface Runs {
  readonly name: string
  readonly rule: string
  readonly start: string
  readonly zone?: string
  /** The first ones, or all of them if the rule ends. */
  readonly runs: readonly string[]
}

const CLOCKS: readonly Runs[] = [
  {
    name: '02:30 in New York, the night that has none',
    rule: 'FREQ=DAILY',
    start: '2026-03-07T02:30:00',
    runs: ['2026-03-07T07:30Z', '2026-03-08T07:00Z', '2026-03-09T06:30Z'],
  },
  {
    name: '01:30 in New York, the night that has two',
    rule: 'FREQ=DAILY',
    start: '2026-10-31T01:30:00',
    runs: ['2026-10-31T05:30Z', '2026-11-01T05:30Z', '2026-11-02T06:30Z'],
  },
  {
    name: 'the first one in a gap',
    rule: 'FREQ=WEEKLY',
    start: '2026-03-08T02:30:00',
    runs: ['2026-03-08T07:00Z', '2026-03-15T06:30Z'],
  },
  {
    name: 'the half hour that Lord Howe leaves out',
    rule: 'FREQ=DAILY',
    start: '2026-10-03T02:15:00',
    zone: 'Australia/Lord_Howe',
    runs: ['2026-10-02T15:45Z', '2026-10-03T15:30Z', '2026-10-04T15:15Z'],
  },
  {
    name: 'the half hour that Lord Howe has twice',
    rule: 'FREQ=DAILY',
    start: '2026-04-04T01:45:00',
    zone: 'Australia/Lord_Howe',
    runs: ['2026-04-03T14:45Z', '2026-04-04T14:45Z', '2026-04-05T15:15Z'],
  },
  {
    name: 'the day that Apia left out, daily',
    rule: 'FREQ=DAILY;COUNT=3',
    start: '2011-12-29T09:00:00',
    zone: 'Pacific/Apia',
    runs: ['2011-12-29T19:00Z', '2011-12-30T19:00Z', '2011-12-31T19:00Z'],
  },
  {
    name: 'the Friday that Apia left out, weekly',
    rule: 'FREQ=WEEKLY',
    start: '2011-12-23T09:00:00',
    zone: 'Pacific/Apia',
    runs: ['2011-12-23T19:00Z', '2012-01-05T19:00Z', '2012-01-12T19:00Z'],
  },
  {
    name: 'the 30th that Apia left out, monthly',
    rule: 'FREQ=MONTHLY',
    start: '2011-11-30T09:00:00',
    zone: 'Pacific/Apia',
    runs: ['2011-11-30T19:00Z', '2012-01-29T19:00Z'],
  },
  {
    name: 'a start on the day that Apia left out',
    rule: 'FREQ=DAILY',
    start: '2011-12-30T09:00:00',
    zone: 'Pacific/Apia',
    runs: ['2011-12-30T19:00Z', '2011-12-31T19:00Z'],
  },
  {
    name: '03:00 on Chatham, the night that has none',
    rule: 'FREQ=DAILY',
    start: '2026-09-26T03:00:00',
    zone: 'Pacific/Chatham',
    runs: ['2026-09-25T14:15Z', '2026-09-26T14:00Z', '2026-09-27T13:15Z'],
  },
  {
    name: '03:00 on Chatham, the night that has two',
    rule: 'FREQ=DAILY',
    start: '2026-04-04T03:00:00',
    zone: 'Pacific/Chatham',
    runs: ['2026-04-03T13:15Z', '2026-04-04T13:15Z', '2026-04-05T14:15Z'],
  },
  {
    name: 'the earliest midnight on earth',
    rule: 'FREQ=DAILY',
    start: '2026-01-01',
    zone: 'Pacific/Kiritimati',
    runs: ['2025-12-31T10:00Z', '2026-01-01T10:00Z'],
  },
  {
    name: 'the latest midnight on earth',
    rule: 'FREQ=DAILY',
    start: '2026-01-01',
    zone: 'Etc/GMT+12',
    runs: ['2026-01-01T12:00Z', '2026-01-02T12:00Z'],
  },
  {
    name: 'two times of a day that a gap makes one, counted once',
    rule: 'FREQ=DAILY;BYHOUR=2,3;COUNT=5',
    start: '2026-03-07T02:00:00',
    runs: [
      '2026-03-07T07:00Z',
      '2026-03-07T08:00Z',
      '2026-03-08T07:00Z',
      '2026-03-09T06:00Z',
      '2026-03-09T07:00Z',
    ],
  },
]

const ELAPSED: readonly Runs[] = [
  {
    name: 'every six hours as the clocks go on',
    rule: 'FREQ=HOURLY;INTERVAL=6',
    start: '2026-03-07T18:00:00',
    runs: ['2026-03-07T23:00Z', '2026-03-08T05:00Z', '2026-03-08T11:00Z', '2026-03-08T17:00Z'],
  },
  {
    name: 'every six hours as they go back',
    rule: 'FREQ=HOURLY;INTERVAL=6',
    start: '2026-10-31T18:00:00',
    runs: ['2026-10-31T22:00Z', '2026-11-01T04:00Z', '2026-11-01T10:00Z', '2026-11-01T16:00Z'],
  },
  {
    name: 'every hour from one that there is not',
    rule: 'FREQ=HOURLY',
    start: '2026-03-08T02:30:00',
    runs: ['2026-03-08T07:00Z', '2026-03-08T08:00Z'],
  },
  {
    name: 'every half hour through the hour that comes twice',
    rule: 'FREQ=MINUTELY;INTERVAL=30;COUNT=4',
    start: '2026-11-01T01:00:00',
    runs: ['2026-11-01T05:00Z', '2026-11-01T05:30Z', '2026-11-01T06:00Z', '2026-11-01T06:30Z'],
  },
  {
    name: 'every six hours on Sundays of the clocks there',
    rule: 'FREQ=HOURLY;INTERVAL=6;BYDAY=SU',
    start: '2026-03-07T18:00:00',
    runs: [
      '2026-03-08T05:00Z',
      '2026-03-08T11:00Z',
      '2026-03-08T17:00Z',
      '2026-03-08T23:00Z',
      '2026-03-15T05:00Z',
    ],
  },
  {
    name: 'twice on the 31st, or on the last day there is',
    rule: 'FREQ=HOURLY;INTERVAL=12;BYMONTHDAY=31',
    start: '2026-02-27T00:00:00',
    runs: ['2026-02-28T05:00Z', '2026-02-28T17:00Z', '2026-03-31T05:00Z', '2026-03-31T17:00Z'],
  },
  {
    name: 'every half day of a month in a year',
    rule: 'FREQ=MINUTELY;INTERVAL=720;BYMONTH=12',
    start: '2026-12-31T12:00:00',
    runs: ['2026-12-31T17:00Z', '2027-12-01T05:00Z', '2027-12-01T17:00Z'],
  },
  {
    name: 'at two minutes of every third hour, from the first of them after its start',
    rule: 'FREQ=HOURLY;INTERVAL=3;BYMINUTE=10,40;COUNT=4',
    start: '2026-01-01T09:20:00',
    runs: ['2026-01-01T14:40Z', '2026-01-01T17:10Z', '2026-01-01T17:40Z', '2026-01-01T20:10Z'],
  },
  {
    name: 'at half past every hour through the one that comes twice',
    rule: 'FREQ=HOURLY;BYMINUTE=30',
    start: '2026-11-01T00:10:00',
    runs: ['2026-11-01T04:30Z', '2026-11-01T05:30Z', '2026-11-01T06:30Z', '2026-11-01T07:30Z'],
  },
  {
    name: 'at half past every hour from one that there is not',
    rule: 'FREQ=HOURLY;BYMINUTE=30',
    start: '2026-03-08T02:30:00',
    runs: ['2026-03-08T07:30Z', '2026-03-08T08:30Z'],
  },
  {
    name: 'every 25 minutes, if that is a full hour',
    rule: 'FREQ=MINUTELY;INTERVAL=25;BYMINUTE=0',
    start: '2026-03-07T23:00:00',
    runs: ['2026-03-08T04:00Z', '2026-03-08T09:00Z', '2026-03-08T14:00Z'],
  },
  {
    name: 'every minute, if that is a quarter of an hour on a Monday',
    rule: 'FREQ=MINUTELY;BYMINUTE=0,15,30,45;BYDAY=MO',
    start: '2026-01-04T23:50:00',
    runs: ['2026-01-05T05:00Z', '2026-01-05T05:15Z', '2026-01-05T05:30Z', '2026-01-05T05:45Z'],
  },
]

/** Rules of hours and minutes that name hours. */
const NAMED_HOURS: readonly Runs[] = [
  {
    name: 'every second hour of three, at the same hours in summer',
    rule: 'FREQ=HOURLY;INTERVAL=2;BYHOUR=9,11,12,13',
    start: '2026-03-07T09:00:00',
    runs: [
      ...['2026-03-07T14:00Z', '2026-03-07T16:00Z', '2026-03-07T18:00Z'],
      ...['2026-03-08T13:00Z', '2026-03-08T15:00Z', '2026-03-08T17:00Z'],
    ],
  },
  {
    name: 'every 20 minutes of a morning, as in RFC 5545',
    rule: 'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10',
    start: '1997-09-02T09:00:00',
    runs: [
      ...['1997-09-02T13:00Z', '1997-09-02T13:20Z', '1997-09-02T13:40Z'],
      ...['1997-09-02T14:00Z', '1997-09-02T14:20Z', '1997-09-02T14:40Z'],
      '1997-09-03T13:00Z',
    ],
  },
  {
    name: 'every hour of a night, once in the one that comes twice',
    rule: 'FREQ=HOURLY;BYHOUR=0,1,2',
    start: '2026-11-01T00:00:00',
    runs: ['2026-11-01T04:00Z', '2026-11-01T05:00Z', '2026-11-01T07:00Z', '2026-11-02T05:00Z'],
  },
  {
    name: 'every quarter of an hour that there is not, once after it',
    rule: 'FREQ=MINUTELY;INTERVAL=15;BYHOUR=2',
    start: '2026-03-07T02:30:00',
    runs: ['2026-03-07T07:30Z', '2026-03-07T07:45Z', '2026-03-08T07:00Z', '2026-03-09T06:00Z'],
  },
  {
    name: 'every minute at a quarter past, on one day of the year',
    rule: 'FREQ=MINUTELY;BYHOUR=9,17;BYMINUTE=15;BYYEARDAY=-1',
    start: '2026-01-31T09:00:00',
    runs: ['2026-12-31T14:15Z', '2026-12-31T22:15Z', '2027-12-31T14:15Z'],
  },
]

export const RUNS_BY_THE_CLOCK = [...CLOCKS, ...ELAPSED, ...NAMED_HOURS]
