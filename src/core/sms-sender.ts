/** A messaging service chooses among its numbers. */
export type SmsSender =
  | { readonly kind: 'number'; readonly from: string }
  | { readonly kind: 'service'; readonly messagingServiceSid: string }
