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

export function readTarget(text: string, allowPrivate: boolean): TargetReading {
  if (!URL.canParse(text)) return { kind: 'fault', fault: 'must be an address' }
  const url = new URL(text)
  const fault = faultOfUrl(url, allowPrivate)
  if (fault !== undefined) return { kind: 'fault', fault }
  const target = { origin: url.origin, path: `${url.pathname}${url.search}`, host: hostOf(url) }
  return { kind: 'target', target }
}

function faultOfUrl(url: URL, allowPrivate: boolean): string | undefined {
  const { protocol, port, username, password } = url
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) {
    return allowPrivate ? 'must begin with https:// or http://' : 'must begin with https://'
  }
  // They would appear in lists and in logs.
  if (username !== '' || password !== '') return 'must hold no user name and no password'
  if (allowPrivate) return undefined
  const isPort = port === '' || Number(port) === HTTPS || Number(port) >= FIRST_FREE_PORT
  if (!isPort) return 'must be at port 443, or at 1024 and above'
  const host = hostOf(url)
  if (isIP(host) !== 0) return undefined
  const name = host.replace(/\.$/, '')
  return LOCAL_NAME.test(name) || !name.includes('.')
    ? 'must be an address of the public internet, not the name of something on a private network'
    : undefined
}

/** The URL parser has already turned 0x7f.1, 2130706433 and ①②⑦.1 into 127.0.0.1. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
