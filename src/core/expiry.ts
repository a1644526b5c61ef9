// A card is valid through the last day of its month in the zone where that day ends last.

import { DateTime } from 'luxon'

const MMYY = /^(0[1-9]|1[0-2])(\d{2})$/
const LAST_ZONE = 'Etc/GMT+12' // UTC−12: the last place where a month ends

export function expiryFault(text: string | undefined, now: Date): string | undefined {
  const [, month, year] = MMYY.exec(text ?? '') ?? []
  if (month === undefined || year === undefined) return 'must be a month and a year as MMYY'
  const start = DateTime.fromObject(
    { year: 2000 + Number(year), month: Number(month) },
    { zone: LAST_ZONE },
  )
  return start.endOf('month').toMillis() < now.getTime() ? 'is in the past' : undefined
}
