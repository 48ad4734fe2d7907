import type { errors } from '../src/protocol/errors.ts'

interface ErrorText {
  meaning: string
  /** What the caller should do. */
  action: string
}

/** The texts of docs/errors.md. They are for people who program a platform or an agent. */
export const errorTexts: Record<keyof typeof errors, ErrorText> = {
  slot_unavailable: {
    meaning: 'The slot is booked, reserved or no longer offered.',
    action: 'Query the free times again, and choose another slot.',
  },
  hold_expired: {
    meaning: 'The hold has ended, so the server no longer reserves the slot.',
    action: 'Hold the slot again. If it is no longer free, choose another slot.',
  },
  booking_window_violated: {
    meaning: 'The slot begins too soon or too far in the future.',
    action: 'Choose a slot inside the booking window of the service.',
  },
  capacity_exceeded: {
    meaning: 'The number of people is larger than the number of free places.',
    action: 'Send a smaller `party_size`, or choose another slot.',
  },
  invalid_transition: {
    meaning: 'The state of the booking or other resource does not allow the call.',
    action: 'Do not repeat the call. Read the resource to see its state.',
  },
  reschedule_not_allowed: {
    meaning: 'The terms of the booking do not allow the buyer to move it now.',
    action: 'Tell the buyer the reason in `content`. The business itself may still move the booking.',
  },
  reschedule_limit_reached: {
    meaning: 'The booking was already moved as often as its terms allow.',
    action: 'Tell the buyer. The business itself may still move the booking.',
  },
  cancellation_not_allowed: {
    meaning: 'The terms of the booking do not allow the buyer to cancel it now.',
    action: 'Tell the buyer the reason in `content`. The business itself may still cancel the booking.',
  },
  payment_required: {
    meaning: 'The buyer must pay for the service first. In a message of another type: the booking is not certain yet.',
    action: 'Let the buyer pay, or book the service in a UCP checkout.',
  },
  payment_expired: {
    meaning: 'The time to pay has passed.',
    action: 'Read the booking. If it is canceled, book another slot.',
  },
  payment_amount_mismatch: {
    meaning: 'The reported payment differs from the amount due, or has another currency.',
    action: 'Compare the payment with the amount due. Repeat the report only with the true amount.',
  },
  payment_not_received: {
    meaning: 'The business has not received the reported payment.',
    action: 'Send the buyer to the `continue_url` of the payment action.',
  },
  actions_pending: {
    meaning: 'The buyer must do something first, such as answer questions.',
    action: 'Send the buyer to the `continue_url`.',
  },
  price_mismatch: {
    meaning: 'The price of the slot is not the price in the request.',
    action: 'Show the buyer the new price. Repeat the call with this price if the buyer agrees.',
  },
  waitlist_full: {
    meaning: 'The waitlist has no free place.',
    action: 'Try again later, or choose another service.',
  },
  offer_expired: {
    meaning: 'The time to accept the offer of the waitlist has passed.',
    action: 'Join the waitlist again.',
  },
  offer_already_accepted: {
    meaning: 'The offer of the waitlist was accepted before.',
    action: 'Do not repeat the call. Read the waitlist entry.',
  },
  capabilities_incompatible: {
    meaning: 'Your profile does not list the capability of the operation.',
    action: 'Add the capability to your profile. Until then, do not repeat the call.',
  },

  invalid_request: {
    meaning: 'The server cannot read the request, or the request lacks a required member.',
    action: 'Correct the request. `errors[].field` names a missing member.',
  },
  validation_error: {
    meaning: 'The server does not accept a value of the input, such as an unknown id in the body.',
    action: 'Correct the value that `errors[].field` names.',
  },
  booking_not_found: {
    meaning: 'There is no such booking, or it is not yours.',
    action: 'Check the id and the credential of the call.',
  },
  entry_not_found: {
    meaning: 'There is no such waitlist entry, or it is not yours.',
    action: 'Check the id and the credential of the call.',
  },
  service_not_found: {
    meaning: 'The business has no service with this id.',
    action: 'List the services again.',
  },
  invalid_profile_url: {
    meaning: 'The call names your profile incorrectly or not at all, or the URL is not allowed.',
    action: 'Name the https URL of your profile.',
  },
  profile_unreachable: {
    meaning: 'The server could not fetch your profile, or the profile of the business that you register.',
    action: 'Make sure that the URL answers with status 200. Then repeat the call.',
  },
  profile_malformed: {
    meaning: 'The profile is not a valid document.',
    action: 'Correct the profile. `errors` lists the faults.',
  },
  profile_not_trusted: {
    meaning: 'The business serves selected platforms only, and yours is not one of them.',
    action: 'Ask the business to add your platform.',
  },
  authentication_required: {
    meaning: 'The call has no valid credential, or the credential does not allow this call.',
    action: 'Authenticate with a mechanism that the business profile lists.',
  },
  signature_missing: {
    meaning: 'The request has no signature, or the signature does not cover all required parts.',
    action: 'Sign the parts that the business profile requires.',
  },
  signature_invalid: {
    meaning: 'The signature does not match the request or the key.',
    action: 'Check the covered components, the key and the headers that a proxy may change.',
  },
  signature_expired: {
    meaning: 'The signature is too old.',
    action: 'Check your clock. Sign the request again.',
  },
  key_not_found: {
    meaning: 'Your profile does not list the key of the signature.',
    action: 'Publish the key in your profile, or sign with a published key.',
  },
  digest_mismatch: {
    meaning: 'The header `Content-Digest` does not match the body.',
    action: 'Compute the digest from the exact bytes of the body.',
  },
  algorithm_unsupported: {
    meaning: 'The server does not support the algorithm of the key.',
    action: 'Use a key for ES256.',
  },
  pop_proof_required: {
    meaning: 'The call needs a proof of possession. This server sends `pop_proof_missing` instead.',
    action: 'Send a proof of possession with the call.',
  },
  pop_proof_missing: {
    meaning: 'The call needs a proof of possession of a key, but has none.',
    action: 'Send a proof of possession with the call.',
  },
  pop_proof_invalid: {
    meaning: 'The proof of possession is not valid for this call.',
    action: 'Make a new proof for exactly this call. `detail` names the fault.',
  },
  pop_key_mismatch: {
    meaning: 'The credential belongs to another key than the key of the proof.',
    action: 'Make the proof with the key that got the credential.',
  },
  pop_proof_replayed: {
    meaning: 'The server has already seen this proof.',
    action: 'Make a new proof for each call.',
  },
  proof_nonce_required: {
    meaning: 'The proof needs a nonce of the server.',
    action: 'Make a new proof with `nonce` of the answer, and repeat the call.',
  },
  rate_limited: {
    meaning: 'There were too many calls, or you have too many open bookings, entries or subscriptions.',
    action: 'Repeat the call after the seconds in `Retry-After`.',
  },
  hold_limit_exceeded: {
    meaning: 'You have too many active holds, or you released too many holds without a booking.',
    action: 'Book or release a hold, or wait for the seconds in `Retry-After`.',
  },
  version_unsupported: {
    meaning: 'The server does not support the protocol version of your profile.',
    action: 'Use a version that the answer or the business profile names.',
  },
  service_unavailable: {
    meaning: 'The server cannot process the call at present.',
    action: 'Repeat the call after the seconds in `Retry-After`, with the same idempotency key.',
  },
  revision_mismatch: {
    meaning: 'The booking or entry changed after you read it (`If-Match`).',
    action: 'Read it again. Then decide whether to repeat the call.',
  },
  payment_unverifiable: {
    meaning: 'The booking has no price that the payment could be compared with. The booking was not confirmed.',
    action: 'Return the payment to the buyer.',
  },
  confirmation_failed: {
    meaning: 'The payment was valid, but the slot is no longer reserved. The booking was not confirmed.',
    action: 'Return the payment to the buyer, unless `detail` says that the server does this.',
  },
  idempotency_conflict: {
    meaning: 'An earlier call had the same idempotency key, but other contents. Or its answer was erased.',
    action: 'Use a new key for each intended change. If the answer was erased, first check what the call did.',
  },
  cursor_expired: {
    meaning: 'The cursor is too old, or belongs to another list.',
    action: 'Start again with the first page.',
  },
  range_too_wide: {
    meaning: 'The query covers too many days.',
    action: 'Ask for fewer days.',
  },
  server_error: {
    meaning: 'The server has a fault. The call changed nothing.',
    action: 'Repeat the call later, with the same idempotency key. Report the `instance` to the business.',
  },

  subscription_not_found: {
    meaning: 'There is no such subscription to the catalogue, or it is not yours.',
    action: 'Check the id, or subscribe again.',
  },
  registration_not_found: {
    meaning: 'The directory has no such business, or its registration is not yours.',
    action: 'Check the id, or register the business again.',
  },
  not_found: {
    meaning: 'There is nothing at this address, or the address has an unknown id of another resource, such as a hold.',
    action: 'Check the address.',
  },
  method_not_allowed: {
    meaning: 'The path does not have this HTTP method.',
    action: 'Use a method that the header `Allow` lists.',
  },
  content_too_large: {
    meaning: 'The body has too many bytes.',
    action: 'Send less data in one call.',
  },
  unsupported_media_type: {
    meaning: 'The body has another type than JSON, or is compressed.',
    action: 'Send uncompressed JSON as `application/json`.',
  },
}
