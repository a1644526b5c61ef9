/** A messaging service chooses among numbers itself. */
export type SmsSender =
  | { readonly kind: 'number'; readonly from: string }
  | { readonly kind: 'service'; readonly messagingServiceSid: string }
