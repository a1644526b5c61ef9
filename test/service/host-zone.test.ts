// The time zone that this suite runs in: the host's on one backend, a distant one on the other.

import { expect, inject, it } from 'vitest'

it('the second backend runs in a distant zone, or its run would show nothing about zones', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const hours = -new Date('2026-11-21T00:00:00Z').getTimezoneOffset() / 60
  if (inject('backend') === 'redis') expect([timeZone, hours]).toEqual(['Pacific/Apia', 13])
  else expect(timeZone).toBe(process.env.TZ ?? timeZone)
})
