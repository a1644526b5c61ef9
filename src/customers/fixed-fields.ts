// What a payment method stands for is fixed with its token.

/** In words that follow the field's name. */
export const CANNOT_CHANGE = 'cannot be changed: make another payment method'
