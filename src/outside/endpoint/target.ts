// Checks a webhook's URL before its host name is resolved.

import { isIP } from 'node:net'

export interface Target {
  /** https://hooks.example.com:8443 */
  readonly origin: string
  readonly path: string
  /** A name, or an address without brackets. */
  readonly host: string
}

/** `fault` continues "target_url …". */
export type TargetReading =
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'fault'; readonly fault: string }

const HTTPS = 443

/** Ports below this belong to system services: mail, directories and the like. */
const FIRST_FREE_PORT = 1024

/** Names that mean something else on each network. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/

/** A developer with an endpoint on the same machine, who is often the operator too, needs to know. */
export const UNLESS_ALLOWED = 'unless the service is started with WEBHOOK_ALLOW_PRIVATE=true'

export function readTarget(text: string, allowPrivate: boolean): TargetReading {
  if (!URL.canParse(text)) return { kind: 'fault', fault: 'must be an address' }
  const url = new URL(text)
  const fault = faultOfUrl(url, allowPrivate)
  if (fault !== undefined) return { kind: 'fault', fault }
  const target = { origin: url.origin, path: `${url.pathname}${url.search}`, host: hostOf(url) }
  return { kind: 'target', target }
}

function faultOfUrl(url: URL, allowPrivate: boolean): string | undefined {
  const { protocol, username, password } = url
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://'
  // They would appear in lists and in logs.
  if (username !== '' || password !== '') return 'must hold no user name and no password'
  const fault = allowPrivate ? undefined : faultOfPrivate(url)
  return fault && `${fault}, ${UNLESS_ALLOWED}`
}

function faultOfPrivate(url: URL): string | undefined {
  const { protocol, port } = url
  if (protocol !== 'https:') return 'must begin with https://'
  const isPort = port === '' || Number(port) === HTTPS || Number(port) >= FIRST_FREE_PORT
  if (!isPort) return 'must be at port 443, or at 1024 and above'
  const host = hostOf(url)
  if (isIP(host) !== 0) return undefined
  const name = host.replace(/\.$/, '')
  return LOCAL_NAME.test(name) || !name.includes('.')
    ? 'must be an address of the public internet, not a name in a private network'
    : undefined
}

/** The URL parser has already turned 0x7f.1, 2130706433 and ①②⑦.1 into 127.0.0.1. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
