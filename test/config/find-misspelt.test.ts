// A mistyped setting is noticed, and other programs' variables are not mistaken for one.

import { expect, it } from 'vitest'
import { findMisspelt } from '../../src/config/find-misspelt.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { runCommand } from '../support/command.ts'

it.each([
  ['PROT', 'PORT'],
  ['POTR', 'PORT'],
  ['PRT', 'PORT'],
  ['HOTS', 'HOST'],
  ['CHARGE_WAIT', 'CHARGE_WAIT_MS'],
  ['CHARGE_WAITMS', 'CHARGE_WAIT_MS'],
  ['CHRAGE_WIAT_MS', 'CHARGE_WAIT_MS'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['REDIS_ULR', 'REDIS_URL'],
  ['SECRET_KEY', 'SECRETS_KEY'],
  ['DATADIR', 'DATA_DIR'],
  ['LEVEL_LOG', 'LOG_LEVEL'],
  ['TWILIO_TOKEN', 'TWILIO_AUTH_TOKEN'],
  ['EMAIL_PER_SEC', 'EMAIL_PER_SECOND'],
  ['GRACE', 'GRACE_MS'],
  ['DB_URL', 'DATABASE_URL'],
  ['DATABASE_URL_FILE', 'DATABASE_URL'],
  ['ADMIN_PASSWORD_FILE', 'ADMIN_PASSWORD'],
  ['GRACE_SECONDS', 'GRACE_MS'],
  ['CHARGE_WAIT_SECONDS', 'CHARGE_WAIT_MS'],
  ['RATE_LIMIT_PER_SECOND', 'RATE_LIMIT_PER_MINUTE'],
  ['DELIVERY_RETENTION_HOURS', 'DELIVERY_RETENTION_DAYS'],
  ['STRIPE_WEBHOOK_SIGNING_SECRET', 'STRIPE_WEBHOOK_SECRET'],
])('%s is taken for %s', (variable, setting) => {
  expect(findMisspelt({ [variable]: '1' })).toEqual([{ variable, setting }])
})

it('a shortened name is another program’s if the setting is set as well', () => {
  const env = { DB_URL: '1', DATABASE_URL: '1', TWILIO_TOKEN: '1', TWILIO_AUTH_TOKEN: '1' }
  expect(findMisspelt(env)).toEqual([])
})

/** Variables of shells, containers, npm, PostgreSQL's tools, Node and Kubernetes. */
const OF_OTHERS = [
  ...['PATH', 'HOME', 'HOSTNAME', 'HOSTTYPE', 'POST', 'PORTS', 'PWD', 'SHELL', 'SHLVL', 'TERM'],
  ...['PGHOST', 'PGPORT', 'PGDATABASE', 'NODE_ENV', 'NODE_OPTIONS', 'INIT_CWD', 'npm_config_host'],
  ...['ADMIN_SERVICE_PORT', 'WORKER_SERVICE_PORT', 'SMTP_CA_FILE', 'DATABASE_POOL_SIZE'],
  ...['KUBERNETES_SERVICE_HOST', 'KUBERNETES_PORT', 'REDIS_PORT', 'POSTGRES_PORT', 'DB_HOST'],
  ...['LAMPLIGHTER_API_PORT', 'LAMPLIGHTER_WORKER_SERVICE_HOST', 'OTEL_EXPORTER_OTLP_PROTOCOL'],
  ...[
    'LOGNAME',
    'MAIL',
    'DATA',
    'DATABASE',
    'REDIS',
    'SMTP_HOST',
    'SMTP_PORT',
    'EXPORT',
    'SECRETS',
  ],
]

it('variables of other programs, our own and empty ones are no misspellings', () => {
  const names = [...OF_OTHERS, ...Object.values(SETTINGS).map(({ name }) => name)]
  expect(findMisspelt(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([])
  expect(findMisspelt({ PROT: '' })).toEqual([])
})

it('a start warns of one in a line that names both, and not its value', async () => {
  const settings = { PROT: '4321', DATA_DIR: '/nowhere/at/all', LOG_LEVEL: 'warn' }
  const { out } = await runCommand(['api'], settings)
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    {
      level: 'warn',
      variable: 'PROT',
      setting: 'PORT',
      msg: 'PROT is not a setting: did you mean PORT?',
    },
  ])
  expect(out).not.toContain('4321')
})
