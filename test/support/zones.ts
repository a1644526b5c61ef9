// Every zone of Node's own list, and aliases and fixed offsets that are on none.

import { changesBetween, DAY, localOf, offsetAt } from './minute-scan.ts'

const UNLISTED = [
  'Etc/GMT+12',
  'Etc/GMT-14',
  'Etc/UTC',
  'UTC',
  'US/Eastern',
  'US/Samoa',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/Nuuk',
  'Australia/LHI',
  'Europe/Kyiv',
  'NZ-CHAT',
]

export const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), ...UNLISTED])]

/** A decade in which zones skipped dates and moved their clocks by odd amounts. */
export const UNRULY_YEARS = ['2007-01-01', '2017-01-01'] as const

/** A decade ahead, as it is planned now. */
export const COMING_YEARS = ['2026-01-01', '2036-01-01'] as const

const firsts = new Map<string, string>()
const twins: (readonly [zone: string, first: string])[] = []
for (const zone of ZONES) {
  const clocks = clocksOf(zone)
  const first = firsts.get(clocks)
  if (first === undefined) firsts.set(clocks, zone)
  else twins.push([zone, first])
}

/** One zone stands for all whose clocks show the same in these years, as Berlin and Paris. */
export const CLOCKS = [...firsts.values()]

/** The other zones, each with the one that stands for it. */
export const TWINS: readonly (readonly [zone: string, first: string])[] = twins

/** Few enough for one test each: by continent or ocean, and the first letter of the city. */
export const REGIONS = [...new Set(CLOCKS.map(regionOf))].map(
  (region) => [region, CLOCKS.filter((zone) => regionOf(zone) === region)] as const,
)

function clocksOf(zone: string): string {
  return JSON.stringify(
    [UNRULY_YEARS, COMING_YEARS].map(([first, next]) => {
      const [from, before] = [localOf(first) - DAY, localOf(next) + 2 * DAY]
      return [offsetAt(zone, from), changesBetween(zone, from, before)]
    }),
  )
}

function regionOf(zone: string): string {
  const [region = '', city = ''] = zone.split('/')
  if (city === '') return 'no region'
  return /^(Africa|America|Asia|Europe)$/.test(region) ? `${region}, ${halfOf(city)}` : region
}

function halfOf(city: string): string {
  return city < 'L' ? 'A to K' : 'L to Z'
}
