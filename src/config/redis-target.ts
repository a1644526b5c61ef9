import { isDecodable, parseCommaList, parseUrl, type SettingKind } from './kinds.ts'
import { masked } from './masking.ts'

interface SentinelAddress {
  readonly host: string
  readonly port: number
}

/** The user, password and database beside sentinels are the Redis server's, not the sentinels'. */
export type RedisTarget =
  | { readonly kind: 'single'; readonly url: string }
  | { readonly kind: 'cluster'; readonly urls: readonly string[] }
  | {
      readonly kind: 'sentinel'
      readonly sentinels: readonly SentinelAddress[]
      readonly name: string
      readonly username?: string
      readonly password?: string
      readonly db?: number
    }

const SCHEMES = ['redis:', 'rediss:'] as const

const DEFAULT_SENTINEL_PORT = 26_379

const SENTINEL_FORM =
  /^redis\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<nodes>[^@/]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d{1,4}))?$/i

const NODE_FORM = /^(?<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?$/i

export const redisTarget: SettingKind<RedisTarget> = {
  wanted:
    'redis://host:port/db or rediss://…, a comma-separated list of these without /db for a cluster, ' +
    'or redis+sentinel://host:port,host:port/name (special characters of a password as %40)',
  parse,
  show: masked,
}

function parse(text: string): RedisTarget | undefined {
  if (/^redis\+sentinel:/i.test(text)) return sentinel(text)
  return text.includes(',') ? cluster(text) : single(text)
}

function single(text: string): RedisTarget | undefined {
  const url = serverOf(text)
  const isRight = url !== undefined && /^(\/\d{0,4})?$/.test(url.pathname)
  return isRight ? { kind: 'single', url: url.href } : undefined
}

/** A cluster has no numbered databases, and all of its nodes use TLS or none does. */
function cluster(text: string): RedisTarget | undefined {
  const nodes = parseCommaList(text, serverOf)
  const scheme = nodes?.[0]?.protocol
  const isRight = nodes?.every((url) => url.protocol === scheme && /^\/?$/.test(url.pathname))
  return nodes && isRight ? { kind: 'cluster', urls: nodes.map((url) => url.href) } : undefined
}

function serverOf(text: string): URL | undefined {
  const url = parseUrl(text, SCHEMES)
  return url === undefined || url.hostname === '' || url.hash !== '' ? undefined : url
}

function sentinel(text: string): RedisTarget | undefined {
  const { user, password, nodes = '', name = '', db } = SENTINEL_FORM.exec(text)?.groups ?? {}
  const sentinels = parseCommaList(nodes, sentinelAddress)
  if (sentinels === undefined || ![user, password, name].every((part) => isDecodable(part ?? ''))) {
    return undefined
  }
  return {
    kind: 'sentinel',
    sentinels,
    name: decodeURIComponent(name),
    ...(user ? { username: decodeURIComponent(user) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(db ? { db: Number(db) } : {}),
  }
}

function sentinelAddress(text: string): SentinelAddress | undefined {
  const { host, port } = NODE_FORM.exec(text)?.groups ?? {}
  const portNumber = Number(port ?? DEFAULT_SENTINEL_PORT)
  if (host === undefined || portNumber < 1 || portNumber > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ''), port: portNumber }
}
