// Every zone that this Node knows by its own list, and links and fixed offsets that are on none.

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

/** Few enough for one test each: by continent or ocean, and the first letter of the city. */
export const REGIONS = [...new Set(ZONES.map(regionOf))].map(
  (region) => [region, ZONES.filter((zone) => regionOf(zone) === region)] as const,
)

function regionOf(zone: string): string {
  const [region = '', city = ''] = zone.split('/')
  if (city === '') return 'no region'
  return /^(Africa|America|Asia|Europe)$/.test(region) ? `${region}, ${halfOf(city)}` : region
}

function halfOf(city: string): string {
  return city < 'L' ? 'A to K' : 'L to Z'
}
