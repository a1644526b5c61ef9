// What Node.js says of a certificate that no authority it knows vouches for.

const UNVERIFIED: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

export const UNVERIFIED_REMEDY =
  'name a PEM file of the authority behind its certificate in NODE_EXTRA_CA_CERTS'

export function isUnverified(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNVERIFIED.has(error.code)
}
