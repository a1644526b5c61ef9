// Where this very suite runs: on one backend in the zone of the host, on the other far away.

import { expect, inject, it } from 'vitest'

it('is far away on the second backend, or all the rest of it there shows nothing', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const hours = -new Date('2026-11-21T00:00:00Z').getTimezoneOffset() / 60
  if (inject('backend') === 'redis') expect([timeZone, hours]).toEqual(['Pacific/Apia', 13])
  else expect(timeZone).toBe(process.env.TZ ?? timeZone)
})
