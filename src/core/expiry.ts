// A card is valid through the last day of its month in the zone where that day ends last.

import { DateTime } from 'luxon'

const MMYY = /^(0[1-9]|1[0-2])(\d{2})$/
const WRITTEN = /^(\d{2})\/?(?:20)?(\d{2})$/
const LAST_ZONE = 'Etc/GMT+12' // UTC−12: the last place where a month ends

/**
 * Cards are printed with MM/YY, and clients send MMYY, MM/YY, MMYYYY or MM/YYYY: as MMYY. Another
 * text stays as it is, and `expiryFault` refuses it.
 */
export function expiryAsMmyy(text: string): string {
  const [, month, year] = WRITTEN.exec(text) ?? []
  return month === undefined || year === undefined ? text : month + year
}

export function expiryFault(text: string | undefined, now: Date): string | undefined {
  const [, month, year] = MMYY.exec(text ?? '') ?? []
  if (month === undefined || year === undefined)
    return 'must be a month and a year, such as 1230 or 12/30'
  const start = DateTime.fromObject(
    { year: 2000 + Number(year), month: Number(month) },
    { zone: LAST_ZONE },
  )
  return start.endOf('month').toMillis() < now.getTime() ? 'is in the past' : undefined
}
