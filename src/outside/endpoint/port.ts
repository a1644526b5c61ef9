// The port for posting events to merchants' endpoints.

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type PostAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** From the endpoint's Retry-After header. */
      readonly retryAfterMs: number | undefined
      /** The beginning of its answer, on one line. */
      readonly excerpt: string
    }
  /** The address is not allowed, or invalid. */
  | { readonly kind: 'forbidden'; readonly detail: string }
  /** Nothing is known about the endpoint: this machine lacked time, sockets or a network. */
  | { readonly kind: 'own_fault'; readonly detail: string }
  /** No answer in time. `isReached` means that it was connected. */
  | { readonly kind: 'silent'; readonly detail: string; readonly isReached: boolean }

export interface EndpointClient {
  /** Never throws. Resolves and checks the address each time, and follows no redirect. */
  post(post: Post, signal: AbortSignal): Promise<PostAnswer>
  /** Why an address cannot be an endpoint, as a fault of its field. Undefined if it can. */
  faultOf(url: string): Promise<string | undefined>
  close(): Promise<void>
}
