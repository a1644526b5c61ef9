export const BOARD_PATH = '/admin/queues'

/** Its script repeats the cookie of that name in a header, which no other site can do. */
export const BOARD_COOKIE = 'XSRF-TOKEN'
