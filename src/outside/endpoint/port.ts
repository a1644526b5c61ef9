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
      /** As the endpoint's Retry-After says. */
      readonly retryAfterMs: number | undefined
      /** The beginning of what it said, on one line. */
      readonly excerpt: string
    }
  /** The address must not be asked, or is none. */
  | { readonly kind: 'forbidden'; readonly detail: string }
  /** Nothing is known of the endpoint: this machine lacked time, sockets or a network. */
  | { readonly kind: 'own_fault'; readonly detail: string }
  /** No answer within the time; `isReached`: somebody was there. */
  | { readonly kind: 'silent'; readonly detail: string; readonly isReached: boolean }

export interface EndpointClient {
  /** Never throws. Resolves and checks the address each time, and follows no redirect. */
  post(post: Post, signal: AbortSignal): Promise<PostAnswer>
  /** Why an address cannot be an endpoint, in words for its field; undefined where it can. */
  faultOf(url: string): Promise<string | undefined>
  close(): Promise<void>
}
