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
]

export const RUNS_BY_THE_CLOCK = [...CLOCKS, ...ELAPSED]
