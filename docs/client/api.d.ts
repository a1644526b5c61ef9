// The types of the API. Made by `npm run openapi`; do not edit.
// import createClient from 'openapi-fetch'; createClient<Paths, 'application/json'>({ baseUrl: … })

export interface Paths {
  '/healthz': {
    /**
     * The process is alive
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'ok' | 'not ready' | 'stuck'
              reason?: string
            }
          }
        }
        503: {
          content: {
            /**
             * It must be replaced; the reason says why.
             */
            'application/json': {
              status: 'ok' | 'not ready' | 'stuck'
              reason?: string
            }
          }
        }
      }
    }
  }
  '/readyz': {
    /**
     * The process can serve requests
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'ok' | 'not ready' | 'stuck'
              reason?: string
            }
          }
        }
        503: {
          content: {
            /**
             * It cannot serve; the reason says why.
             */
            'application/json': {
              status: 'ok' | 'not ready' | 'stuck'
              reason?: string
            }
          }
        }
      }
    }
  }
  '/metrics': {
    /**
     * Metrics for Prometheus
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'text/plain': string
          }
        }
      }
    }
  }
  '/self': {
    /**
     * The team and account of the key
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              team: {
                id: string
                name: string
                status: 'active' | 'inactive'
                enabled: boolean
                sms_enabled: boolean
                split_funding_enabled: boolean
                settlement_tokenization_enabled: boolean
              }
              account: {
                id: string
                mode: 'sandbox' | 'live'
                rate_limit_per_minute: number
              }
              key: {
                name: string
                prefix: string
              }
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/customer': {
    /**
     * Create a customer
     */
    post: {
      parameters: {
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody?: {
        content: {
          /**
           * At least one of firstname, lastname, company and email.
           */
          'application/json': {
            /**
             * First name.
             */
            firstname?: string
            /**
             * Last name.
             */
            lastname?: string
            /**
             * Company.
             */
            company?: string
            email?: string
            /**
             * E.164, or national digits of the United States. 10 to 15 digits that name no number are kept as typed, and no text is sent to them.
             */
            phone?: string
            /**
             * Addresses that get a copy of every receipt.
             *
             * @maxItems 10
             */
            cc_emails?: string[]
            /**
             * Addresses that get a copy of every receipt.
             *
             * @maxItems 10
             *
             * Items: E.164, or national digits of the United States.
             */
            cc_sms?: string[]
            /**
             * Street.
             */
            address_1?: string
            /**
             * Second line.
             */
            address_2?: string
            /**
             * City.
             */
            address_city?: string
            /**
             * State.
             */
            address_state?: string
            /**
             * ZIP or postal code.
             */
            address_zip?: string
            /**
             * Country.
             */
            address_country?: string
            /**
             * Notes that only the merchant sees.
             */
            notes?: string
            /**
             * The merchant’s own reference for the customer.
             */
            reference?: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Customer
          }
        }
        400: Refused
        401: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * List customers
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at' | 'updated_at' | 'firstname' | 'lastname' | 'company' | 'email'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * An exact match, ignoring case.
           */
          firstname?: string
          /**
           * An exact match, ignoring case.
           */
          lastname?: string
          /**
           * An exact match, ignoring case.
           */
          company?: string
          /**
           * An exact match, ignoring case.
           */
          email?: string
          /**
           * An exact match, ignoring case.
           */
          phone?: string
          /**
           * An exact match, ignoring case.
           */
          cc_emails?: string
          /**
           * An exact match, ignoring case.
           */
          cc_sms?: string
          /**
           * An exact match, ignoring case.
           */
          address_1?: string
          /**
           * An exact match, ignoring case.
           */
          address_2?: string
          /**
           * An exact match, ignoring case.
           */
          address_city?: string
          /**
           * An exact match, ignoring case.
           */
          address_state?: string
          /**
           * An exact match, ignoring case.
           */
          address_zip?: string
          /**
           * An exact match, ignoring case.
           */
          address_country?: string
          /**
           * An exact match, ignoring case.
           */
          notes?: string
          /**
           * An exact match, ignoring case.
           */
          reference?: string
          /**
           * Text to find; if repeated, each must be found.
           *
           * @maxItems 10
           *
           * Items: Each must be found in the name, company, email, phone or reference.
           */
          keywords?: string[]
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Customer[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/customer/{id}': {
    /**
     * Get a customer
     */
    get: {
      parameters: {
        path: {
          /**
           * The customer.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Customer
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Change a customer
     */
    put: {
      parameters: {
        path: {
          /**
           * The customer.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          /**
           * Absent fields keep their value; meta and lists are replaced as a whole.
           */
          'application/json': {
            /**
             * First name.
             */
            firstname?: string
            /**
             * Last name.
             */
            lastname?: string
            /**
             * Company.
             */
            company?: string
            email?: string
            /**
             * E.164, or national digits of the United States. 10 to 15 digits that name no number are kept as typed, and no text is sent to them.
             */
            phone?: string
            /**
             * Addresses that get a copy of every receipt.
             *
             * @maxItems 10
             */
            cc_emails?: string[]
            /**
             * Addresses that get a copy of every receipt.
             *
             * @maxItems 10
             *
             * Items: E.164, or national digits of the United States.
             */
            cc_sms?: string[]
            /**
             * Street.
             */
            address_1?: string
            /**
             * Second line.
             */
            address_2?: string
            /**
             * City.
             */
            address_city?: string
            /**
             * State.
             */
            address_state?: string
            /**
             * ZIP or postal code.
             */
            address_zip?: string
            /**
             * Country.
             */
            address_country?: string
            /**
             * Notes that only the merchant sees.
             */
            notes?: string
            /**
             * The merchant’s own reference for the customer.
             */
            reference?: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Customer
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Delete a customer
     */
    delete: {
      parameters: {
        path: {
          /**
           * The customer.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Customer
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/customer/{id}/payment-method': {
    /**
     * List the payment methods of a customer
     */
    get: {
      parameters: {
        path: {
          /**
           * The customer.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PaymentMethod[]
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/payment-method': {
    /**
     * Create a payment method
     */
    post: {
      parameters: {
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /**
             * Its customer. If absent, a customer is created from person_name.
             */
            customer_id?: string
            method: 'card' | 'bank'
            /**
             * Sandbox only; becomes a token at once.
             */
            card_number?: string
            /**
             * Checked, never stored.
             */
            card_cvv?: string
            /**
             * Sandbox only; becomes a token at once.
             */
            bank_account?: string
            /**
             * Nine digits.
             */
            bank_routing?: string
            /**
             * Live: the gateway’s own token.
             */
            payment_method_token?: string
            /**
             * What the payer calls it.
             */
            nickname?: string
            /**
             * The name on the card or of the account.
             */
            person_name: string
            /**
             * When the card expires: month and year, MMYY.
             */
            card_exp?: string
            /**
             * Name of the bank.
             */
            bank_name?: string
            bank_type?: 'checking' | 'savings'
            bank_holder_type?: 'personal' | 'business'
            /**
             * Street.
             */
            address_1?: string
            /**
             * Second line.
             */
            address_2?: string
            /**
             * City.
             */
            address_city?: string
            /**
             * State.
             */
            address_state?: string
            /**
             * ZIP or postal code.
             */
            address_zip?: string
            /**
             * Country.
             */
            address_country?: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PaymentMethod
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * List payment methods
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at' | 'updated_at'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * The customer.
           */
          customer_id?: string
          /**
           * Only these.
           */
          method?: 'card' | 'bank'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: PaymentMethod[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/payment-method/{id}': {
    /**
     * Get a payment method
     */
    get: {
      parameters: {
        path: {
          /**
           * The payment method.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PaymentMethod
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Change a payment method
     */
    put: {
      parameters: {
        path: {
          /**
           * The payment method.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          /**
           * Absent fields keep their value; meta is replaced as a whole.
           */
          'application/json': {
            /**
             * What the payer calls it.
             */
            nickname?: string
            /**
             * The name on the card or of the account.
             */
            person_name?: string
            /**
             * When the card expires: month and year, MMYY.
             */
            card_exp?: string
            /**
             * Name of the bank.
             */
            bank_name?: string
            bank_type?: 'checking' | 'savings'
            bank_holder_type?: 'personal' | 'business'
            /**
             * Street.
             */
            address_1?: string
            /**
             * Second line.
             */
            address_2?: string
            /**
             * City.
             */
            address_city?: string
            /**
             * State.
             */
            address_state?: string
            /**
             * ZIP or postal code.
             */
            address_zip?: string
            /**
             * Country.
             */
            address_country?: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * true: the one of the customer, in place of the one before. false: not any more.
             */
            is_default?: true | false | 0 | 1 | '0' | '1'
            /**
             * Cannot be changed.
             */
            customer_id?: string
            /**
             * Cannot be changed.
             */
            method?: string
            /**
             * Cannot be changed.
             */
            card_number?: {
              [k: string]: unknown
            }
            /**
             * Cannot be changed.
             */
            card_cvv?: {
              [k: string]: unknown
            }
            /**
             * Cannot be changed.
             */
            bank_account?: {
              [k: string]: unknown
            }
            /**
             * Cannot be changed.
             */
            bank_routing?: {
              [k: string]: unknown
            }
            /**
             * Cannot be changed.
             */
            payment_method_token?: {
              [k: string]: unknown
            }
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PaymentMethod
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Delete a payment method
     */
    delete: {
      parameters: {
        path: {
          /**
           * The payment method.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PaymentMethod
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/charge': {
    /**
     * Charge a payment method
     */
    post: {
      parameters: {
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
          /**
           * `respond-async`: answer 202 and PENDING at once.
           */
          prefer?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /**
             * What is charged. A decimal in major units, as a number or as text.
             */
            total: number | string
            /**
             * The card or bank account to charge.
             */
            payment_method_id: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * Only authorise; capture later.
             */
            pre_auth?: true | false | 0 | 1 | '0' | '1'
            currency?: 'USD'
            /**
             * The origin of the payment, such as card_present.
             */
            channel?: string
            /**
             * The invoice that it pays; `total` is its balance due.
             */
            invoice_id?: string
            /**
             * The payment link through which it came.
             */
            payment_link_id?: string
            /**
             * Split Funding: shares that add up to the total.
             *
             * @minItems 1
             * @maxItems 100
             */
            funding?: {
              /**
               * Where the share goes.
               */
              account_id: string
              /**
               * The share. A decimal in major units, as a number or as text.
               */
              amount: number | string
              /**
               * The purpose of the share.
               */
              memo?: string
            }[]
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        202: {
          content: {
            'application/json': Transaction
          }
        }
        400: {
          content: {
            /**
             * `invalid_request`, `card_data_not_accepted`, `invalid_json`, `invalid_id`; or the payment, if it was declined
             */
            'application/json': Transaction | ApiError
          }
        }
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction': {
    /**
     * List transactions
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at' | 'updated_at' | 'total' | 'last_four' | 'status'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Only these.
           */
          type?: 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
          /**
           * Only these.
           */
          status?: 'PENDING' | 'SUCCESS' | 'FAILED'
          /**
           * Only these.
           */
          method?: 'card' | 'bank' | 'cash' | 'check'
          /**
           * The outcome; neither value matches a PENDING transaction.
           */
          success?: 'true' | 'false' | '0' | '1'
          /**
           * Whether it was recorded by hand.
           */
          is_manual?: 'true' | 'false' | '0' | '1'
          /**
           * Authorizations, or other payments.
           */
          pre_auth?: 'true' | 'false' | '0' | '1'
          /**
           * The customer.
           */
          customer_id?: string
          /**
           * The payment method.
           */
          payment_method_id?: string
          /**
           * The invoice that it pays.
           */
          invoice_id?: string
          /**
           * The schedule that made it.
           */
          schedule_id?: string
          /**
           * The payment link.
           */
          payment_link_id?: string
          /**
           * The batch; refunds in it are listed too.
           */
          batch_id?: string
          /**
           * Exactly this total. A decimal in major units, as a number or as text.
           */
          total?: number | string
          /**
           * At least this total. A decimal in major units, as a number or as text.
           */
          minTotal?: number | string
          /**
           * At most this total. A decimal in major units, as a number or as text.
           */
          maxTotal?: number | string
          /**
           * The last digits of the card or the account.
           */
          last_four?: string
          /**
           * Text to find; if repeated, each must be found.
           *
           * @maxItems 10
           *
           * Items: Must be found: in the customer's name, company, e-mail address or phone number, in a message or a source, or as an id.
           */
          keywords?: string[]
          /**
           * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          start_date?: string
          /**
           * The same as start_date.
           */
          startDate?: string
          /**
           * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          end_date?: string
          /**
           * The same as end_date.
           */
          endDate?: string
          /**
           * The whole list as a file, without pages: one line a transaction.
           */
          export?: 'csv'
          /**
           * Captures, voids and refunds too; a filter on these types or on batch_id implies it.
           */
          all?: 'true' | 'false' | '0' | '1'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Transaction[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
            'text/csv': string
          }
        }
        400: Refused
        401: Refused
        403: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Record a transaction by hand
     */
    post: {
      parameters: {
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /**
             * The amount that was paid. A decimal in major units, as a number or as text.
             */
            total: number | string
            type: 'charge' | 'refund' | 'credit'
            method: 'cash' | 'check'
            /**
             * The customer who paid or was paid.
             */
            customer_id: string
            /**
             * Where the money came from, in your words.
             */
            source?: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * A note about it.
             */
            message?: string
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}': {
    /**
     * Get a transaction
     */
    get: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Change a transaction that was recorded by hand
     */
    put: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * The amount that was paid. A decimal in major units, as a number or as text.
             */
            total?: number | string
            /**
             * The customer who paid or was paid.
             */
            customer_id?: string
            /**
             * Where the money came from, in your words.
             */
            source?: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * A note about it.
             */
            message?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/related': {
    /**
     * List the children of a transaction
     */
    get: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction[]
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/funding': {
    /**
     * Get the funding instructions of a transaction
     */
    get: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /**
               * Where the share goes.
               */
              account_id: string
              /**
               * The share. A decimal in major units, as a number or as text.
               */
              amount: number | string
              /**
               * The purpose of the share.
               */
              memo?: string
            }[]
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/void': {
    /**
     * Void a transaction
     */
    post: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
          /**
           * `respond-async`: answer 202 and PENDING at once.
           */
          prefer?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * If it is sent, it must be the whole amount. A decimal in major units, as a number or as text.
             */
            amount?: number | string
            /**
             * The same as amount. A decimal in major units, as a number or as text.
             */
            total?: number | string
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        202: {
          content: {
            'application/json': Transaction
          }
        }
        400: {
          content: {
            /**
             * `invalid_request`, `card_data_not_accepted`, `invalid_json`, `invalid_id`, `unknown_field`; or the payment, if it was declined
             */
            'application/json': Transaction | ApiError
          }
        }
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/refund': {
    /**
     * Refund a transaction
     */
    post: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
          /**
           * `respond-async`: answer 202 and PENDING at once.
           */
          prefer?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * What is refunded; absent: all that is left. A decimal in major units, as a number or as text.
             */
            amount?: number | string
            /**
             * The same as amount. A decimal in major units, as a number or as text.
             */
            total?: number | string
            /**
             * The amount refunded so far as you know it, refunds under way included. If it differs, the answer is 409.
             */
            previously_refunded?: number | string
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        202: {
          content: {
            'application/json': Transaction
          }
        }
        400: {
          content: {
            /**
             * `invalid_request`, `card_data_not_accepted`, `invalid_json`, `invalid_id`, `unknown_field`; or the payment, if it was declined
             */
            'application/json': Transaction | ApiError
          }
        }
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/void-or-refund': {
    /**
     * Void or refund a transaction
     */
    post: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
          /**
           * `respond-async`: answer 202 and PENDING at once.
           */
          prefer?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * What is refunded; absent: all that is left. A decimal in major units, as a number or as text.
             */
            amount?: number | string
            /**
             * The same as amount. A decimal in major units, as a number or as text.
             */
            total?: number | string
            /**
             * The amount refunded so far as you know it, refunds under way included. If it differs, the answer is 409.
             */
            previously_refunded?: number | string
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        202: {
          content: {
            'application/json': Transaction
          }
        }
        400: {
          content: {
            /**
             * `invalid_request`, `card_data_not_accepted`, `invalid_json`, `invalid_id`, `unknown_field`; or the payment, if it was declined
             */
            'application/json': Transaction | ApiError
          }
        }
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/capture': {
    /**
     * Capture a pre_auth
     */
    post: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
          /**
           * `respond-async`: answer 202 and PENDING at once.
           */
          prefer?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * What is captured; absent: all that is left. A decimal in major units, as a number or as text.
             */
            amount?: number | string
            /**
             * The same as amount. A decimal in major units, as a number or as text.
             */
            total?: number | string
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        202: {
          content: {
            'application/json': Transaction
          }
        }
        400: {
          content: {
            /**
             * `invalid_request`, `card_data_not_accepted`, `invalid_json`, `invalid_id`, `unknown_field`; or the payment, if it was declined
             */
            'application/json': Transaction | ApiError
          }
        }
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/receipt/email': {
    /**
     * E-mail a receipt, as by POST
     */
    put: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * Recipients of copies of this receipt, in addition to the customer's own.
             *
             * @maxItems 10
             */
            ccEmails?: string[]
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * E-mail a receipt
     */
    post: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * Recipients of copies of this receipt, in addition to the customer's own.
             *
             * @maxItems 10
             */
            ccEmails?: string[]
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/receipt/sms': {
    /**
     * Text a receipt, as by POST
     */
    put: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * Recipients of copies of this receipt, in addition to the customer's own.
             *
             * @maxItems 10
             *
             * Items: E.164, or national digits of the United States.
             */
            ccSms?: string[]
            /**
             * Another spelling of the same field; both lists are used.
             *
             * @maxItems 10
             *
             * Items: E.164, or national digits of the United States.
             */
            ccSMS?: string[]
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Text a receipt
     */
    post: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * Recipients of copies of this receipt, in addition to the customer's own.
             *
             * @maxItems 10
             *
             * Items: E.164, or national digits of the United States.
             */
            ccSms?: string[]
            /**
             * Another spelling of the same field; both lists are used.
             *
             * @maxItems 10
             *
             * Items: E.164, or national digits of the United States.
             */
            ccSMS?: string[]
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/transaction/{id}/receipt': {
    /**
     * List the receipts of a transaction
     */
    get: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Delivery[]
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/batch': {
    /**
     * List batches
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?:
            | 'business_date'
            | 'cutoff_at'
            | 'created_at'
            | 'closed_at'
            | 'count'
            | 'sales'
            | 'refunds'
            | 'net'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * With this business date or a later one; an instant counts as its date in UTC. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          start_date?: string
          /**
           * The same as start_date.
           */
          startDate?: string
          /**
           * With this business date or an earlier one. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          end_date?: string
          /**
           * The same as end_date.
           */
          endDate?: string
          /**
           * Only these.
           */
          status?: 'open' | 'closing' | 'closed'
          /**
           * The whole list as a file, without pages: one line for each batch.
           */
          export?: 'csv'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Batch[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
            'text/csv': string
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/batch/{id}': {
    /**
     * Get a batch
     */
    get: {
      parameters: {
        path: {
          /**
           * The batch.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Batch
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/batch/{id}/transaction': {
    /**
     * List the transactions of a batch
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at' | 'updated_at' | 'total' | 'last_four' | 'status'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * The whole list as a file, without pages: one line for each transaction.
           */
          export?: 'csv'
        }
        path: {
          /**
           * The batch.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Transaction[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
            'text/csv': string
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/dispute': {
    /**
     * List disputes
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Only those of this transaction.
           */
          transaction_id?: string
          /**
           * Only these.
           */
          status?: 'warning' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost'
          /**
           * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          start_date?: string
          /**
           * The same as start_date.
           */
          startDate?: string
          /**
           * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          end_date?: string
          /**
           * The same as end_date.
           */
          endDate?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Dispute[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/reversal': {
    /**
     * List reversals
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Only those of this transaction.
           */
          transaction_id?: string
          /**
           * Only these.
           */
          kind?: 'refund_failed' | 'debit_returned'
          /**
           * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          start_date?: string
          /**
           * The same as start_date.
           */
          startDate?: string
          /**
           * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          end_date?: string
          /**
           * The same as end_date.
           */
          endDate?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Reversal[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/dispute/{id}': {
    /**
     * Get a dispute
     */
    get: {
      parameters: {
        path: {
          /**
           * The dispute.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Dispute
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/reversal/{id}': {
    /**
     * Get a reversal
     */
    get: {
      parameters: {
        path: {
          /**
           * The reversal.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Reversal
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/sandbox/transaction/{id}/dispute': {
    /**
     * Open or change a dispute in the sandbox
     */
    post: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * needs_response when absent.
             */
            status?:
              'warning' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost'
            /**
             * What is disputed. When absent, as before, and at first the whole transaction. A decimal in major units, as a number or as text.
             */
            amount?: number | string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Dispute
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/sandbox/transaction/{id}/reversal': {
    /**
     * Reverse a refund or a bank debit in the sandbox
     */
    post: {
      parameters: {
        path: {
          /**
           * The transaction.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * The bank's word for it, such as no_account.
             */
            reason?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Reversal
          }
        }
        400: Refused
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/invoice/schedule': {
    /**
     * List scheduled invoices
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'last_run_at' | 'next_run_at' | 'count' | 'created_at' | 'updated_at' | 'status'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Only these; any when absent.
           */
          status?: 'active' | 'paused' | 'deleted'
          /**
           * The billed customer.
           */
          customer_id?: string
          /**
           * The payment method that pays.
           */
          payment_method_id?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: ScheduledInvoice[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Create a scheduled invoice
     */
    post: {
      parameters: {
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /**
             * Of each invoice. A decimal in major units, as a number or as text.
             */
            total: number | string
            /**
             * When it runs: a recurrence rule after RFC 5545, with or without `RRULE:`. `DTSTART`, `EXDATE` and `RDATE` may stand beside it, each in a line of its own. Not finer than 15 minutes; COUNT at most 10,000, and 1,000 dates. In a month without the day, its last day is used.
             */
            rule: string
            /**
             * The billed customer.
             */
            customer_id: string
            /**
             * The customer’s payment method that pays each invoice automatically; without one, the customer pays.
             */
            payment_method_id?: string
            /**
             * The first possible run, as `DTSTART` inside the rule: local time of `timezone`, or an exact instant with `Z` or an offset. The next full minute if absent at creation.
             */
            start?: string
            /**
             * The zone of its wall clock; America/New_York when absent at creation.
             */
            timezone?: string
            /**
             * Invoices are sent by e-mail; true when absent.
             */
            email_notification?: true | false | 0 | 1 | '0' | '1'
            /**
             * Invoices are sent by SMS; false when absent.
             */
            sms_notification?: true | false | 0 | 1 | '0' | '1'
            /**
             * Runs that could not be made in time: `all` are made later, `one` run stands for all of them, or `skip` them. `all` when absent.
             */
            missed_runs?: 'all' | 'one' | 'skip'
            /**
             * An http or https address of yours.
             */
            url?: string
            /**
             * The origin, passed on to its invoices and payments.
             */
            channel?: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            currency?: 'USD'
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ScheduledInvoice
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/invoice/schedule/{id}': {
    /**
     * Get a scheduled invoice
     */
    get: {
      parameters: {
        path: {
          /**
           * The scheduled invoice.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ScheduledInvoice
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Change, pause or resume a scheduled invoice
     */
    put: {
      parameters: {
        path: {
          /**
           * The scheduled invoice.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          /**
           * Absent fields keep their value; `meta` is replaced as a whole. The change applies to future runs. A rule without a start keeps the current start.
           */
          'application/json': {
            /**
             * The total of each future invoice. A decimal in major units, as a number or as text.
             */
            total?: number | string
            /**
             * When it runs: a recurrence rule after RFC 5545, with or without `RRULE:`. `DTSTART`, `EXDATE` and `RDATE` may stand beside it, each in a line of its own. Not finer than 15 minutes; COUNT at most 10,000, and 1,000 dates. In a month without the day, its last day is used.
             */
            rule?: string
            /**
             * The first possible run, as `DTSTART` inside the rule: local time of `timezone`, or an exact instant with `Z` or an offset. The next full minute if absent at creation.
             */
            start?: string
            /**
             * The customer’s payment method that pays each invoice automatically; without one, the customer pays. Null removes it.
             */
            payment_method_id?: string | null
            /**
             * The zone of its wall clock; America/New_York when absent at creation.
             */
            timezone?: string
            /**
             * Invoices are sent by e-mail; true when absent.
             */
            email_notification?: true | false | 0 | 1 | '0' | '1'
            /**
             * Invoices are sent by SMS; false when absent.
             */
            sms_notification?: true | false | 0 | 1 | '0' | '1'
            /**
             * Runs that could not be made in time: `all` are made later, `one` run stands for all of them, or `skip` them. `all` when absent.
             */
            missed_runs?: 'all' | 'one' | 'skip'
            /**
             * An http or https address of yours.
             */
            url?: string
            /**
             * The origin, passed on to its invoices and payments.
             */
            channel?: string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * Runs that fall due while the schedule is paused are not made.
             */
            status?: 'active' | 'paused'
            /**
             * The same as status, active or paused.
             */
            active?: true | false | 0 | 1 | '0' | '1'
            /**
             * Cannot be changed; the current value is accepted.
             */
            customer_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ScheduledInvoice
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Delete a scheduled invoice
     */
    delete: {
      parameters: {
        path: {
          /**
           * The scheduled invoice.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ScheduledInvoice
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/invoice': {
    /**
     * List invoices
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at' | 'updated_at' | 'due_at' | 'total' | 'status' | 'paid_at'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Only these. Deleted invoices are listed only with DELETED.
           */
          status?:
            | 'DRAFT'
            | 'SENT'
            | 'VIEWED'
            | 'PAID'
            | 'PARTIALLY APPLIED'
            | 'ATTEMPTED'
            | 'VOID'
            | 'DELETED'
          /**
           * The customer who must pay.
           */
          customer_id?: string
          /**
           * The schedule that made it.
           */
          schedule_id?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Invoice[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Create an invoice
     */
    post: {
      parameters: {
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /**
             * What is to be paid. A decimal in major units, as a number or as text.
             */
            total: number | string
            /**
             * The customer who must pay.
             */
            customer_id: string
            /**
             * The customer’s payment method that pays it, unless a payment names another one.
             */
            payment_method_id?: string
            /**
             * When the payment is due: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset.
             */
            due_at?: string
            currency?: 'USD'
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Invoice
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/invoice/{id}': {
    /**
     * Get an invoice
     */
    get: {
      parameters: {
        path: {
          /**
           * The invoice.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Invoice
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Delete an invoice
     */
    delete: {
      parameters: {
        path: {
          /**
           * The invoice.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Invoice
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/invoice/{id}/pay': {
    /**
     * Pay an invoice
     */
    post: {
      parameters: {
        path: {
          /**
           * The invoice.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
          /**
           * `respond-async`: answer 202 and PENDING at once.
           */
          prefer?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * A payment method of its customer; that of the invoice when absent.
             */
            payment_method_id?: string
            /**
             * The balance due as you know it. An invoice must be paid in full, so another amount is refused. A decimal in major units, as a number or as text.
             */
            apply_balance?: number | string
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Transaction
          }
        }
        202: {
          content: {
            'application/json': Transaction
          }
        }
        400: {
          content: {
            /**
             * `invalid_request`, `card_data_not_accepted`, `invalid_json`, `invalid_id`, `unknown_field`, `partial_payment_not_supported`; or the payment, if it was declined
             */
            'application/json': Transaction | ApiError
          }
        }
        401: Refused
        403: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/event': {
    /**
     * List events
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * The name of the event.
           */
          type?:
            | 'create_transaction'
            | 'update_transaction'
            | 'update_transaction_settled'
            | 'create_invoice'
            | 'update_invoice'
            | 'create_scheduled_invoice'
            | 'update_scheduled_invoice'
            | 'delete_scheduled_invoice'
            | 'create_customer'
            | 'update_customer'
            | 'delete_customer'
            | 'create_payment_method'
            | 'update_payment_method'
            | 'delete_payment_method'
            | 'create_payment_link'
            | 'update_payment_link'
            | 'delete_payment_link'
            | 'create_batch'
            | 'create_deposit'
            | 'deposit_failed'
            | 'create_dispute'
            | 'update_dispute'
            | 'create_reversal'
            | 'webhook_disabled'
            | 'webhook_test'
          /**
           * The changed resource.
           */
          resource_id?: string
          /**
           * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          start_date?: string
          /**
           * The same as start_date.
           */
          startDate?: string
          /**
           * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          end_date?: string
          /**
           * The same as end_date.
           */
          endDate?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Event[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/webhook': {
    /**
     * List webhooks
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at' | 'updated_at'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Only these.
           */
          status?: 'active' | 'disabled'
          /**
           * Only webhooks that get this event, by its name or by `*`.
           */
          event?:
            | '*'
            | 'create_transaction'
            | 'update_transaction'
            | 'update_transaction_settled'
            | 'create_invoice'
            | 'update_invoice'
            | 'create_scheduled_invoice'
            | 'update_scheduled_invoice'
            | 'delete_scheduled_invoice'
            | 'create_customer'
            | 'update_customer'
            | 'delete_customer'
            | 'create_payment_method'
            | 'update_payment_method'
            | 'delete_payment_method'
            | 'create_payment_link'
            | 'update_payment_link'
            | 'delete_payment_link'
            | 'create_batch'
            | 'create_deposit'
            | 'deposit_failed'
            | 'create_dispute'
            | 'update_dispute'
            | 'create_reversal'
            | 'webhook_disabled'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Webhook[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Create a webhook
     */
    post: {
      parameters: {
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /**
             * Where events are posted to: an https address of the public internet, without a user, a password or a fragment.
             */
            target_url: string
            /**
             * The events that it gets: `*` for all, one name, or a list of names.
             *
             * @minItems 1
             * @maxItems 100
             */
            event:
              | string
              | (
                  | '*'
                  | 'create_transaction'
                  | 'update_transaction'
                  | 'update_transaction_settled'
                  | 'create_invoice'
                  | 'update_invoice'
                  | 'create_scheduled_invoice'
                  | 'update_scheduled_invoice'
                  | 'delete_scheduled_invoice'
                  | 'create_customer'
                  | 'update_customer'
                  | 'delete_customer'
                  | 'create_payment_method'
                  | 'update_payment_method'
                  | 'delete_payment_method'
                  | 'create_payment_link'
                  | 'update_payment_link'
                  | 'delete_payment_link'
                  | 'create_batch'
                  | 'create_deposit'
                  | 'deposit_failed'
                  | 'create_dispute'
                  | 'update_dispute'
                  | 'create_reversal'
                  | 'webhook_disabled'
                )[]
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WebhookWithSecret
          }
        }
        400: Refused
        401: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/webhook/{id}': {
    /**
     * Get a webhook
     */
    get: {
      parameters: {
        path: {
          /**
           * The webhook.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Change, disable or enable a webhook
     */
    put: {
      parameters: {
        path: {
          /**
           * The webhook.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          /**
           * Absent fields keep their value.
           */
          'application/json': {
            /**
             * Where events are posted to: an https address of the public internet, without a user, a password or a fragment.
             */
            target_url?: string
            /**
             * The events that it gets: `*` for all, one name, or a list of names.
             *
             * @minItems 1
             * @maxItems 100
             */
            event?:
              | string
              | (
                  | '*'
                  | 'create_transaction'
                  | 'update_transaction'
                  | 'update_transaction_settled'
                  | 'create_invoice'
                  | 'update_invoice'
                  | 'create_scheduled_invoice'
                  | 'update_scheduled_invoice'
                  | 'delete_scheduled_invoice'
                  | 'create_customer'
                  | 'update_customer'
                  | 'delete_customer'
                  | 'create_payment_method'
                  | 'update_payment_method'
                  | 'delete_payment_method'
                  | 'create_payment_link'
                  | 'update_payment_link'
                  | 'delete_payment_link'
                  | 'create_batch'
                  | 'create_deposit'
                  | 'deposit_failed'
                  | 'create_dispute'
                  | 'update_dispute'
                  | 'create_reversal'
                  | 'webhook_disabled'
                )[]
            /**
             * A disabled webhook gets no events; disabling it ends a replay.
             */
            status?: 'active' | 'disabled'
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Delete a webhook
     */
    delete: {
      parameters: {
        path: {
          /**
           * The webhook.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/webhook/{id}/roll-secret': {
    /**
     * Roll a webhook's secret
     */
    post: {
      parameters: {
        path: {
          /**
           * The webhook.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * How many seconds the old secret still signs beside the new one; 86400, a day, when absent.
             */
            expires_in?: number
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WebhookWithSecret
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/webhook/{id}/delivery': {
    /**
     * List the deliveries of a webhook
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'created_at'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Only these.
           */
          status?: 'pending' | 'sent' | 'delivered' | 'parked'
          /**
           * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          start_date?: string
          /**
           * The same as start_date.
           */
          startDate?: string
          /**
           * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else.
           */
          end_date?: string
          /**
           * The same as end_date.
           */
          endDate?: string
        }
        path: {
          /**
           * The webhook.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: WebhookDelivery[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/webhook/{id}/test': {
    /**
     * Test a webhook
     */
    post: {
      parameters: {
        path: {
          /**
           * The webhook.
           */
          id: string
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WebhookDelivery
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/webhook/{id}/replay': {
    /**
     * Replay events to a webhook
     */
    post: {
      parameters: {
        path: {
          /**
           * The webhook.
           */
          id: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /**
             * Events written at this real time or later, at most 30 days ago. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset.
             */
            since: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/payment-link': {
    /**
     * Create a payment link
     */
    post: {
      parameters: {
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /**
             * The merchant’s name for the link.
             */
            common_name: string
            /**
             * The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 and null mean no amount.
             */
            amount?: number | string | null
            /**
             * Whether payers can pay through it; true when absent at creation.
             */
            active?: true | false | 0 | 1 | '0' | '1'
            /**
             * Settings of the page, and any JSON of your own, up to 16 KiB together.
             */
            link_meta?: {
              /**
               * Shown to the payer.
               */
              memo?: string | null
              /**
               * Where the payer goes after a payment: an http or https address.
               */
              successRedirect?: string | null
              /**
               * The payer may change the amount.
               */
              isTotalEditable?: true | false | 0 | 1 | '0' | '1' | null
              [k: string]: unknown
            }
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
            /**
             * The same as the header Idempotency-Key.
             */
            idempotency_id?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PaymentLink
          }
        }
        400: Refused
        401: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/query/payment-links/{id}': {
    /**
     * Get a payment link
     */
    get: {
      parameters: {
        path: {
          /**
           * The payment link.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PaymentLink
          }
        }
        400: Refused
        401: Refused
        404: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Change a payment link
     */
    put: {
      parameters: {
        path: {
          /**
           * The payment link.
           */
          id: string
        }
      }
      requestBody?: {
        content: {
          /**
           * Absent fields keep their value; `meta` and `link_meta` are replaced as a whole.
           */
          'application/json': {
            /**
             * The merchant’s name for the link.
             */
            common_name?: string
            /**
             * The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 and null mean no amount.
             */
            amount?: number | string | null
            /**
             * Whether payers can pay through it; true when absent at creation.
             */
            active?: true | false | 0 | 1 | '0' | '1'
            /**
             * Settings of the page, and any JSON of your own, up to 16 KiB together.
             */
            link_meta?: {
              /**
               * Shown to the payer.
               */
              memo?: string | null
              /**
               * Where the payer goes after a payment: an http or https address.
               */
              successRedirect?: string | null
              /**
               * The payer may change the amount.
               */
              isTotalEditable?: true | false | 0 | 1 | '0' | '1' | null
              [k: string]: unknown
            }
            /**
             * Any JSON of your own, up to 16 KiB, returned as it was sent.
             */
            meta?: {
              [k: string]: unknown
            }
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PaymentLink
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Delete a payment link
     */
    delete: {
      parameters: {
        path: {
          /**
           * The payment link.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 200
              message: string
            }
          }
        }
        400: Refused
        401: Refused
        404: Refused
        409: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/query/payment-links': {
    /**
     * List payment links
     */
    get: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'common_name' | 'amount' | 'created_at' | 'total_sales' | 'total_transactions'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Exactly this amount; 0 finds links without one.
           */
          amount?: number | string
          /**
           * An exact match, ignoring case.
           */
          common_name?: string
          /**
           * Only active links, or only inactive ones.
           */
          active?: 'true' | 'false' | '0' | '1'
          /**
           * Text to find; if repeated, each must be found.
           *
           * @maxItems 10
           *
           * Items: Text in the name, or in the memo of link_meta.
           */
          keywords?: string[]
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: PaymentLink[]
              /**
               * All that the filters find.
               */
              total: number
              per_page: number
              current_page: number
              last_page: number
              /**
               * The number of the first on this page, from 1.
               */
              from: number | null
              /**
               * The number of the last on this page.
               */
              to: number | null
              next_page_url: string | null
              prev_page_url: string | null
            }
          }
        }
        400: Refused
        401: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Query payment links, or create one
     */
    post: {
      parameters: {
        query?: {
          /**
           * 1 when absent.
           */
          page?: number
          /**
           * 50 when absent.
           */
          limit?: number
          /**
           * The same as limit.
           */
          per_page?: number
          /**
           * created_at when absent.
           */
          sort?: 'common_name' | 'amount' | 'created_at' | 'total_sales' | 'total_transactions'
          /**
           * ASC or DESC, in any case; DESC when absent.
           */
          order?: string
          /**
           * Exactly this amount; 0 finds links without one.
           */
          amount?: number | string
          /**
           * An exact match, ignoring case.
           */
          common_name?: string
          /**
           * Only active links, or only inactive ones.
           */
          active?: 'true' | 'false' | '0' | '1'
          /**
           * Text to find; if repeated, each must be found.
           *
           * @maxItems 10
           *
           * Items: Text in the name, or in the memo of link_meta.
           */
          keywords?: string[]
        }
        header?: {
          /**
           * Up to 255 characters. A repeat with the same key gets the same answer.
           */
          'idempotency-key'?: string
        }
      }
      requestBody?: {
        content: {
          'application/json':
            | {
                /**
                 * The merchant’s name for the link.
                 */
                common_name: string
                /**
                 * The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 and null mean no amount.
                 */
                amount?: number | string | null
                /**
                 * Whether payers can pay through it; true when absent at creation.
                 */
                active?: true | false | 0 | 1 | '0' | '1'
                /**
                 * Settings of the page, and any JSON of your own, up to 16 KiB together.
                 */
                link_meta?: {
                  /**
                   * Shown to the payer.
                   */
                  memo?: string | null
                  /**
                   * Where the payer goes after a payment: an http or https address.
                   */
                  successRedirect?: string | null
                  /**
                   * The payer may change the amount.
                   */
                  isTotalEditable?: true | false | 0 | 1 | '0' | '1' | null
                  [k: string]: unknown
                }
                /**
                 * Any JSON of your own, up to 16 KiB, returned as it was sent.
                 */
                meta?: {
                  [k: string]: unknown
                }
                /**
                 * The same as the header Idempotency-Key.
                 */
                idempotency_id?: string
              }
            | {
                /**
                 * 1 when absent.
                 */
                page?: number | string
                /**
                 * 1 to 200; 50 when absent.
                 */
                limit?: number | string
                /**
                 * The same as limit.
                 */
                per_page?: number | string
                sort?:
                  'common_name' | 'amount' | 'created_at' | 'total_sales' | 'total_transactions'
                /**
                 * ASC or DESC, in any case; DESC when absent.
                 */
                order?: string
                /**
                 * Exactly this amount; 0 finds links without one.
                 */
                amount?: number | string
                /**
                 * An exact match, ignoring case.
                 */
                common_name?: string
                /**
                 * Only active links, or only inactive ones.
                 */
                active?: true | false | 0 | 1 | '0' | '1'
                /**
                 * One text, or a list of texts that must all be found.
                 *
                 * @maxItems 10
                 */
                keywords?: string | string[]
              }
        }
      }
      responses: {
        200: {
          content: {
            'application/json':
              | {
                  data: PaymentLink[]
                  /**
                   * All that the filters find.
                   */
                  total: number
                  per_page: number
                  current_page: number
                  last_page: number
                  /**
                   * The number of the first on this page, from 1.
                   */
                  from: number | null
                  /**
                   * The number of the last on this page.
                   */
                  to: number | null
                  next_page_url: string | null
                  prev_page_url: string | null
                }
              | {
                  status: 200
                  message: string
                  body: PaymentLink
                }
          }
        }
        400: Refused
        401: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/pay/{id}/qr.svg': {
    /**
     * A QR code of a payment link's page
     */
    get: {
      parameters: {
        path: {
          /**
           * The payment link.
           */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'image/svg+xml': string
          }
        }
        400: Refused
        404: Refused
        500: Refused
        503: Refused
      }
    }
  }
  '/sandbox/clock': {
    /**
     * Get the current time of the account
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': SandboxClock
          }
        }
        400: Refused
        401: Refused
        403: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Set or advance the clock of a sandbox account
     */
    post: {
      parameters: {}
      requestBody: {
        content: {
          'application/json': {
            /**
             * ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC, where it says nothing else. From 1970 to 8999; but for the first of an account without transactions and schedules, at most ten years ahead of what time it is for the account.
             */
            now: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SandboxClock
          }
        }
        400: Refused
        401: Refused
        403: Refused
        409: Refused
        413: Refused
        415: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
    /**
     * Return a sandbox account to real time
     */
    delete: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': SandboxClock
          }
        }
        400: Refused
        401: Refused
        403: Refused
        409: Refused
        429: Refused
        500: Refused
        503: Refused
      }
    }
  }
}
export interface Refused {
  content: {
    'application/json': ApiError
  }
}
export interface ApiError {
  error:
    | 'invalid_request'
    | 'unknown_field'
    | 'partial_payment_not_supported'
    | 'invalid_json'
    | 'invalid_id'
    | 'rule_too_complex'
    | 'clock_advance_too_large'
    | 'no_recipient'
    | 'card_data_not_accepted'
    | 'unauthorized'
    | 'team_inactive'
    | 'team_disabled'
    | 'sms_not_enabled'
    | 'split_funding_not_enabled'
    | 'sandbox_only'
    | 'invalid_signature'
    | 'not_found'
    | 'method_not_allowed'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'too_many_exports'
    | 'rate_limited'
    | 'transaction_immutable'
    | 'wrong_state'
    | 'already_voided'
    | 'already_batched'
    | 'not_batched_yet'
    | 'not_refundable_yet'
    | 'partial_void_not_supported'
    | 'settlement_tokenization_required'
    | 'refund_exceeds_remaining'
    | 'refund_mismatch'
    | 'capture_exceeds_remaining'
    | 'payment_link_inactive'
    | 'payment_link_deleted'
    | 'in_use'
    | 'invoice_already_paid'
    | 'payment_under_way'
    | 'too_many_webhooks'
    | 'replay_under_way'
    | 'clock_advancing'
    | 'clock_backwards'
    | 'clock_ahead'
    | 'idempotency_conflict'
    | 'internal_error'
    | 'unavailable'
    | 'overloaded'
    | 'no_live_gateway'
  message: string
  /**
   * Faults by field; nested fields are dotted.
   */
  errors?: {
    [k: string]: string[]
  }
  request_id: string
}
export interface Customer {
  id: string
  firstname: string | null
  lastname: string | null
  company: string | null
  email: string | null
  phone: string | null
  cc_emails: string[]
  cc_sms: string[]
  address_1: string | null
  address_2: string | null
  address_city: string | null
  address_state: string | null
  address_zip: string | null
  address_country: string | null
  notes: string | null
  reference: string | null
  meta: {
    [k: string]: unknown
  }
  created_at: string
  updated_at: string
}
export interface PaymentMethod {
  id: string
  /**
   * null: cash or check, which are built in.
   */
  customer_id: string | null
  method: 'card' | 'bank' | 'cash' | 'check'
  nickname: string | null
  person_name: string
  card_type: string | null
  card_last_four: string | null
  card_exp: string | null
  bank_name: string | null
  bank_type: string | null
  bank_holder_type: string | null
  bank_last_four: string | null
  address_1: string | null
  address_2: string | null
  address_city: string | null
  address_state: string | null
  address_zip: string | null
  address_country: string | null
  is_default: boolean
  meta: {
    [k: string]: unknown
  }
  created_at: string
  updated_at: string
}
export interface Transaction {
  id: string
  type: 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
  method: 'card' | 'bank' | 'cash' | 'check'
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  success: boolean | null
  message: string | null
  /**
   * Why the gateway declined it: card_declined, insufficient_funds, expired_card, incorrect_card_data, lost_or_stolen_card, suspected_fraud, authentication_required, bank_account_unusable, debit_not_authorized, hold_ended, nothing_left, processing_error, request_refused. There may be more later.
   */
  decline_code: string | null
  /**
   * Whether another try of a declined payment is worth it: now, later, never. never: not with this payment method as it is.
   */
  retry: string | null
  /**
   * Major units.
   */
  total: number
  /**
   * Major units.
   */
  total_refunded: number
  currency: string
  pre_auth: boolean
  is_captured: boolean
  /**
   * Of a pre_auth: when the gateway released what was not captured. Some gateways grant one capture of a hold, and holds end by themselves after days.
   */
  hold_ended_at: string | null
  is_voided: boolean
  is_voidable: boolean
  is_refundable: boolean
  is_manual: boolean
  source: string | null
  channel: string | null
  customer_id: string
  payment_method_id: string
  invoice_id: string | null
  schedule_id: string | null
  payment_link_id: string | null
  reference_id: string | null
  auth_id: string | null
  batch_id: string | null
  batched_at: string | null
  settled_at: string | null
  idempotency_id: string | null
  gateway_name: string | null
  last_four: string | null
  meta: {
    [k: string]: unknown
  }
  receipt_email_at: string | null
  receipt_sms_at: string | null
  created_at: string
  /**
   * The last change. Settlement does not change it; see settled_at.
   */
  updated_at: string
  customer: Customer
  payment_method: PaymentMethod
  /**
   * Its voids and refunds, the oldest first.
   */
  child_transactions: ChildTransaction[]
  /**
   * The captures of a pre_auth, the oldest first.
   */
  child_captures: ChildTransaction[]
}
/**
 * Customer and payment method are those of its parent.
 */
export interface ChildTransaction {
  id: string
  type: 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
  method: 'card' | 'bank' | 'cash' | 'check'
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  success: boolean | null
  message: string | null
  /**
   * Why the gateway declined it: card_declined, insufficient_funds, expired_card, incorrect_card_data, lost_or_stolen_card, suspected_fraud, authentication_required, bank_account_unusable, debit_not_authorized, hold_ended, nothing_left, processing_error, request_refused. There may be more later.
   */
  decline_code: string | null
  /**
   * Whether another try of a declined payment is worth it: now, later, never. never: not with this payment method as it is.
   */
  retry: string | null
  /**
   * Major units.
   */
  total: number
  /**
   * Major units.
   */
  total_refunded: number
  currency: string
  pre_auth: boolean
  is_captured: boolean
  /**
   * Of a pre_auth: when the gateway released what was not captured. Some gateways grant one capture of a hold, and holds end by themselves after days.
   */
  hold_ended_at: string | null
  is_voided: boolean
  is_voidable: boolean
  is_refundable: boolean
  is_manual: boolean
  source: string | null
  channel: string | null
  customer_id: string
  payment_method_id: string
  invoice_id: string | null
  schedule_id: string | null
  payment_link_id: string | null
  reference_id: string | null
  auth_id: string | null
  batch_id: string | null
  batched_at: string | null
  settled_at: string | null
  idempotency_id: string | null
  gateway_name: string | null
  last_four: string | null
  meta: {
    [k: string]: unknown
  }
  receipt_email_at: string | null
  receipt_sms_at: string | null
  created_at: string
  /**
   * The last change. Settlement does not change it; see settled_at.
   */
  updated_at: string
  /**
   * Its voids and refunds, the oldest first.
   */
  child_transactions: ChildTransaction[]
  /**
   * The captures of a pre_auth, the oldest first.
   */
  child_captures: ChildTransaction[]
}
/**
 * Its times are real time, even if the account has a clock of its own.
 */
export interface Delivery {
  id: string
  channel: 'email' | 'sms' | 'webhook'
  /**
   * The resource that the message is about.
   */
  subject: 'transaction' | 'invoice' | 'webhook' | 'event'
  subject_id: string
  /**
   * An e-mail address, a phone number in E.164, or an endpoint's id.
   */
  recipient: string
  /**
   * pending: not sent yet; sent: the provider accepted it; delivered: the provider reported its arrival; parked: it failed for good.
   */
  status: 'pending' | 'sent' | 'delivered' | 'parked'
  /**
   * Counted tries. While a provider is unavailable, none is counted.
   */
  attempts: number
  next_attempt_at: string | null
  /**
   * What the provider calls it.
   */
  provider_id: string | null
  last_error: string | null
  /**
   * Why it is parked. suppressed: the address does not exist, as an earlier delivery showed, so the provider was not asked.
   */
  reason:
    | 'refused'
    | 'opted_out'
    | 'out_of_tries'
    | 'expired'
    | 'undelivered'
    | 'no_target'
    | 'suppressed'
    | null
  /**
   * Its attempts, the oldest first.
   */
  history: {
    /**
     * When it began.
     */
    at: string
    /**
     * How long it took.
     */
    ms: number
    /**
     * The result of the attempt.
     */
    answer:
      'taken' | 'refused' | 'failed' | 'silent' | 'throttled' | 'away' | 'delivered' | 'undelivered'
    /**
     * For people.
     */
    detail?: string
  }[]
  created_at: string
  updated_at: string
  sent_at: string | null
  delivered_at: string | null
}
/**
 * The sums of an unclosed batch are those that it would close with now.
 */
export interface Batch {
  id: string
  /**
   * The date of its cutoff, on the account's wall clock.
   */
  business_date: string
  /**
   * What succeeds from then on is not in it.
   */
  cutoff_at: string
  /**
   * open: it takes what succeeds; closing: its cutoff has passed; closed: for good.
   */
  status: 'open' | 'closing' | 'closed'
  /**
   * Of its sales and refunds.
   */
  count: number
  /**
   * Of charges and captures, in major units.
   */
  sales: number
  /**
   * In major units.
   */
  refunds: number
  /**
   * sales − refunds.
   */
  net: number
  created_at: string
  closed_at: string | null
  /**
   * When its money arrives, once that is known: by the calendar from its closing on; where the gateway pays out, from its last payout on. Null again if a payout fails.
   */
  deposit_at: string | null
}
/**
 * A payer contests a payment at their bank.
 */
export interface Dispute {
  id: string
  /**
   * The contested payment, which stays as it is.
   */
  transaction_id: string
  /**
   * warning: the bank asks, and has taken no money; warning_closed: that ended without a dispute; needs_response: the bank has taken the money, and you can contest that; under_review: the bank decides; won: the money is yours again; lost: it is not.
   */
  status: 'warning' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost'
  /**
   * The gateway's own word for it.
   */
  reason: string
  /**
   * Major units. It may be a part of the payment.
   */
  amount: number
  currency: string
  gateway_name: string
  /**
   * What the gateway calls it.
   */
  gateway_id: string
  /**
   * Until when you can answer, in the gateway's dashboard; null if you cannot.
   */
  respond_by: string | null
  opened_at: string
  closed_at: string | null
  created_at: string
  updated_at: string
}
/**
 * Money of a successful transaction that moved back.
 */
export interface Reversal {
  id: string
  /**
   * The refund or the charge, whose status stays SUCCESS.
   */
  transaction_id: string
  /**
   * refund_failed: the refund did not reach the payer, and its money is in your balance again; debit_returned: the payer's bank took the debit back.
   */
  kind: 'refund_failed' | 'debit_returned'
  /**
   * The gateway's own word for it.
   */
  reason: string
  /**
   * Major units.
   */
  amount: number
  currency: string
  gateway_name: string
  /**
   * What the gateway calls it.
   */
  gateway_id: string
  created_at: string
}
export interface ScheduledInvoice {
  id: string
  status: 'active' | 'paused' | 'deleted'
  /**
   * Major units.
   */
  total: number
  currency: string
  /**
   * Without its start.
   */
  rule: string
  /**
   * Local time of `timezone`; or UTC with `Z`, if that local time comes twice and the second one is meant.
   */
  start: string
  timezone: string
  /**
   * The rule in words.
   */
  rule_text: string
  customer_id: string
  payment_method_id: string | null
  email_notification: boolean
  sms_notification: boolean
  missed_runs: 'all' | 'one' | 'skip'
  url: string | null
  channel: string | null
  meta: {
    [k: string]: unknown
  }
  /**
   * Runs so far.
   */
  count: number
  /**
   * COUNT of the rule. It counts all occurrences, also skipped ones.
   */
  max_runs: number | null
  end_at: string | null
  last_run_at: string | null
  last_invoice_status:
    | 'DRAFT'
    | 'SENT'
    | 'VIEWED'
    | 'PAID'
    | 'PARTIALLY APPLIED'
    | 'ATTEMPTED'
    | 'VOID'
    | 'DELETED'
    | null
  next_run_at: string | null
  /**
   * The next 12 runs.
   *
   * @maxItems 12
   */
  future_occurrences: string[]
  deleted_at: string | null
  created_at: string
  updated_at: string
  customer: Customer
  payment_method: PaymentMethod | null
}
export interface Invoice {
  id: string
  status:
    'DRAFT' | 'SENT' | 'VIEWED' | 'PAID' | 'PARTIALLY APPLIED' | 'ATTEMPTED' | 'VOID' | 'DELETED'
  /**
   * Major units.
   */
  total: number
  /**
   * Major units.
   */
  total_paid: number
  /**
   * Major units.
   */
  balance_due: number
  currency: string
  customer_id: string
  payment_method_id: string | null
  schedule_id: string | null
  /**
   * The page on which it can be paid.
   */
  url: string
  meta: {
    [k: string]: unknown
  }
  due_at: string | null
  sent_at: string | null
  viewed_at: string | null
  paid_at: string | null
  /**
   * When a failed automatic payment is retried.
   */
  next_retry_at: string | null
  created_at: string
  updated_at: string
}
export interface Event {
  id: string
  type: string
  resource_id: string
  /**
   * Rises with every change of the resource, from 1; numbers may be skipped.
   */
  sequence: number
  created_at: string
  /**
   * The resource as its GET returned it after the change.
   */
  data: {
    [k: string]: unknown
  }
}
/**
 * Its times are real time, even if the account has a clock of its own.
 */
export interface Webhook {
  id: string
  target_url: string
  /**
   * A list of one name is returned as that name.
   */
  event: string | string[]
  status: 'active' | 'disabled'
  /**
   * Why the service disabled it; null if you did.
   */
  disabled_reason: string | null
  /**
   * A replay is under way: some of its events are not queued yet.
   */
  replaying: boolean
  created_at: string
  updated_at: string
}
export interface WebhookWithSecret {
  id: string
  target_url: string
  /**
   * A list of one name is returned as that name.
   */
  event: string | string[]
  status: 'active' | 'disabled'
  /**
   * Why the service disabled it; null if you did.
   */
  disabled_reason: string | null
  /**
   * A replay is under way: some of its events are not queued yet.
   */
  replaying: boolean
  created_at: string
  updated_at: string
  /**
   * Signs its deliveries. Shown only once; null if a creation is repeated after the secret was rolled.
   */
  secret: string | null
}
export interface WebhookDelivery {
  id: string
  channel: 'email' | 'sms' | 'webhook'
  /**
   * The resource that the message is about.
   */
  subject: 'transaction' | 'invoice' | 'webhook' | 'event'
  subject_id: string
  /**
   * An e-mail address, a phone number in E.164, or an endpoint's id.
   */
  recipient: string
  /**
   * pending: not sent yet; sent: the provider accepted it; delivered: the provider reported its arrival; parked: it failed for good.
   */
  status: 'pending' | 'sent' | 'delivered' | 'parked'
  /**
   * Counted tries. While a provider is unavailable, none is counted.
   */
  attempts: number
  next_attempt_at: string | null
  /**
   * What the provider calls it.
   */
  provider_id: string | null
  last_error: string | null
  /**
   * Why it is parked. suppressed: the address does not exist, as an earlier delivery showed, so the provider was not asked.
   */
  reason:
    | 'refused'
    | 'opted_out'
    | 'out_of_tries'
    | 'expired'
    | 'undelivered'
    | 'no_target'
    | 'suppressed'
    | null
  /**
   * Its attempts, the oldest first.
   */
  history: {
    /**
     * When it began.
     */
    at: string
    /**
     * How long it took.
     */
    ms: number
    /**
     * The result of the attempt.
     */
    answer:
      'taken' | 'refused' | 'failed' | 'silent' | 'throttled' | 'away' | 'delivered' | 'undelivered'
    /**
     * For people.
     */
    detail?: string
  }[]
  created_at: string
  updated_at: string
  sent_at: string | null
  delivered_at: string | null
  /**
   * `webhook-id` of what is posted.
   */
  event_id: string
  /**
   * The name of the event; null once the event is deleted, after 30 days.
   */
  event: string | null
}
export interface PaymentLink {
  id: string
  common_name: string
  /**
   * Major units; null if the payer enters the amount.
   */
  amount: number | null
  active: boolean
  link_meta: {
    [k: string]: unknown
  }
  meta: {
    [k: string]: unknown
  }
  /**
   * The page that a payer opens.
   */
  url: string
  /**
   * An SVG image with a QR code of the page.
   */
  qr_code_url: string
  /**
   * The sum of the successful payments in major units. Later voids and refunds are not subtracted, and no event tells of a change.
   */
  total_sales: number
  /**
   * The number of successful payments, voided and refunded ones included.
   */
  total_transactions: number
  created_at: string
  updated_at: string
}
export interface SandboxClock {
  now: string
  status: 'ready' | 'advancing'
  /**
   * The instant to which it is being advanced.
   */
  target: string | null
  /**
   * The part of the advance that is done.
   */
  progress: number | null
}
