// Our services in Docker Compose fit the image, the settings and the services beside them.

import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { SECOND } from '../../src/core/time-units.ts'
import {
  environmentOf,
  hostPort,
  image,
  OTHERS,
  OURS,
  REQUIRED,
  service,
} from '../support/compose.ts'

/** The time for closing connections and the log after the grace. */
const CLOSING_MS = 6 * SECOND

describe.each(OURS)('%s', (name) => {
  const mine = service(name)

  it('is the image of the Dockerfile', () => {
    expect(mine).toMatchObject({ image: 'lamplighter', build: '.', command: [name] })
  })

  it('has settings that the service reads', () => {
    const config = readConfig(environmentOf(mine))
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 3000,
      databaseUrl: `postgresql://postgres:${REQUIRED.POSTGRES_PASSWORD}@postgres:5432/lamplighter`,
      redis: { kind: 'single', url: 'redis://redis:6379' },
      smtpUrl: 'smtp://mailpit:1025',
      publicUrl: `http://${hostPort(service('api').ports?.[0])}`,
      workerPort: name === 'worker' ? 9464 : undefined,
    })
    const known = Object.values(SETTINGS).map((setting) => setting.name as string)
    expect(Object.keys(mine.environment ?? {}).filter((one) => !known.includes(one))).toEqual([])
  })

  it('reaches the addresses in its settings', () => {
    const { databaseUrl, redis, smtpUrl } = readConfig(environmentOf(mine))
    const urls = [databaseUrl, redis?.kind === 'single' ? redis.url : undefined, smtpUrl]
    const hosts = urls.map((url) => new URL(url ?? '').hostname)
    expect(hosts).toEqual(['postgres', 'redis', 'mailpit'])
    expect(hosts.filter((host) => !OTHERS.includes(host))).toEqual([])
    expect(databaseUrl).toContain(environmentOf(service('postgres')).POSTGRES_PASSWORD)
    expect(databaseUrl).toMatch(new RegExp(`/${environmentOf(service('postgres')).POSTGRES_DB}$`))
  })

  it('can write only its data and temporary files, and cannot become another user', () => {
    expect(mine).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: [`outbox:${image.environment.DATA_DIR}`],
    })
  })

  it('has more time to end than it takes', () => {
    const { graceMs, drainMs } = readConfig(environmentOf(mine))
    expect(secondsOf(mine.stop_grace_period) * SECOND).toBeGreaterThan(
      drainMs + graceMs + CLOSING_MS,
    )
  })

  it('waits for the services that it needs', () => {
    const needs = Object.entries(mine.depends_on ?? {}).map(([on, how]) => [on, how.condition])
    expect(Object.fromEntries(needs)).toEqual({
      postgres: 'service_healthy',
      redis: 'service_healthy',
      ...(name === 'migrate' ? {} : { migrate: 'service_completed_successfully' }),
    })
  })

  it('is probed for readiness where it listens', () => {
    if (name === 'migrate') {
      expect(mine.healthcheck).toEqual({ disable: true })
      return
    }
    const [how, program, flag, script = ''] = mine.healthcheck?.test ?? []
    expect([how, program, flag]).toEqual(['CMD', 'node', '-e'])
    expect(script).toBe(image.healthcheck[2]?.replace('/healthz', '/readyz'))
  })
})

function secondsOf(span: string | undefined): number {
  return Number(/^(\d+)s$/.exec(span ?? '')?.[1])
}
