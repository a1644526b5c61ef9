// Recurrence rules that are expensive to read, to continue, to show or to end, and some that never
// fall due.

const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join()
const QUARTERS = '0,15,30,45'
const WEEKDAYS = 'MO,TU,WE,TH,FR,SA,SU'
const MONTHDAYS = Array.from({ length: 31 }, (_, day) => day + 1).join()
const YEARDAYS = Array.from({ length: 366 }, (_, day) => day + 1).join()
const WEEKS = Array.from({ length: 53 }, (_, week) => week + 1).join()
const EACH_QUARTER = `BYHOUR=${HOURS};BYMINUTE=${QUARTERS}`

const FIRST_DAY_MS = Date.UTC(2027, 0, 1)
const DAY_MS = 86_400_000

function dates(count: number): string {
  const at = (n: number) => new Date(FIRST_DAY_MS + n * DAY_MS).toISOString()
  return Array.from({ length: count }, (_, n) => at(n).slice(0, 19).replace(/[-:]/g, '')).join()
}

export const HOSTILE_RULES: Readonly<Record<string, string>> = {
  'a day of 96 quarters asked for its 97th, kept up by dates': `FREQ=DAILY;${EACH_QUARTER};BYSETPOS=97\nRDATE:${dates(360)}`,
  'the last of all quarters of a year, a million times': `FREQ=YEARLY;BYDAY=${WEEKDAYS};${EACH_QUARTER};BYSETPOS=366;COUNT=1000000`,
  'each quarter of an hour on Mondays, to its end':
    'FREQ=MINUTELY;INTERVAL=15;BYDAY=MO;COUNT=999999',
  'all quarters of a year by its last': `FREQ=YEARLY;BYYEARDAY=${YEARDAYS};${EACH_QUARTER};BYSETPOS=-1`,
  'all quarters of a month, the middle ones': `FREQ=MONTHLY;BYMONTHDAY=${MONTHDAYS};${EACH_QUARTER};BYSETPOS=1,500,1000,1500,2000,2500,-1`,
  'all parts at once': `FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYMONTHDAY=${MONTHDAYS};BYDAY=${WEEKDAYS};${EACH_QUARTER};COUNT=9999`,
  'weeks by number': `FREQ=YEARLY;BYWEEKNO=${WEEKS};BYDAY=${WEEKDAYS};${EACH_QUARTER};BYSETPOS=-366`,
  'the thirtieth of February': 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'the thirtieth of February, each quarter of an hour':
    'FREQ=MINUTELY;INTERVAL=15;BYMONTH=2;BYMONTHDAY=30',
  'a leap day that is a Monday, hour by hour':
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=3',
  'a leap day that is a Monday at the end':
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=10000',
  'the 366th day of a year that is a Friday the 13th':
    'FREQ=YEARLY;BYYEARDAY=366;BYDAY=FR;BYMONTHDAY=13',
  'an interval beyond the calendar': 'FREQ=YEARLY;INTERVAL=9999',
  'an interval beyond all numbers': 'FREQ=DAILY;INTERVAL=99999999999999999999',
  'hours that never meet': 'FREQ=HOURLY;INTERVAL=24;BYHOUR=5,7,9;COUNT=10000',
  'minutes that hardly ever meet':
    'FREQ=MINUTELY;INTERVAL=1439;BYHOUR=3;BYMINUTE=0;BYDAY=MO;BYMONTH=2',
  'a count of all numbers': 'FREQ=DAILY;COUNT=9007199254740993',
  'ten thousand quarters': 'FREQ=MINUTELY;INTERVAL=15;COUNT=10000',
  'ten thousand hours on one day of a month': 'FREQ=HOURLY;BYMONTHDAY=31;COUNT=10000',
  'an end in the year 9999': 'FREQ=MINUTELY;INTERVAL=15;UNTIL=99991231T235959Z',
  'a year that is none': 'DTSTART:00010101T000000\nRRULE:FREQ=MINUTELY;INTERVAL=15',
  'a start before all clocks':
    'DTSTART:19000101T000000\nRRULE:FREQ=MINUTELY;INTERVAL=15;COUNT=99999',
  'a thousand dates left out': `FREQ=DAILY\nEXDATE:${dates(1_000)}`,
  'all of its dates left out': `FREQ=DAILY;COUNT=1000\nEXDATE:${dates(1_200)}`,
  'fifty thousand dates': `FREQ=YEARLY\nRDATE:${dates(50_000)}`,
  'fifty thousand dates left out': `FREQ=YEARLY\nEXDATE:${dates(50_000)}`,
  'the same hour two hundred thousand times': `FREQ=DAILY;BYHOUR=${'1,'.repeat(200_000)}1`,
  'positions without end': `FREQ=MONTHLY;BYDAY=MO;BYSETPOS=${Array.from({ length: 50_000 }, (_, n) => n + 1).join()}`,
  'nothing but semicolons': `FREQ=DAILY${';'.repeat(900_000)}`,
  'nothing but lines': `FREQ=DAILY${'\n'.repeat(900_000)}`,
  'folded lines': `FREQ=DAILY${'\r\n '.repeat(300_000)};COUNT=5`,
  'a hundred thousand rules': 'RRULE:FREQ=DAILY\n'.repeat(50_000),
  'nothing but digits': `FREQ=DAILY;COUNT=${'9'.repeat(900_000)}`,
  'nothing but spaces': `${' '.repeat(900_000)}FREQ=DAILY`,
}
