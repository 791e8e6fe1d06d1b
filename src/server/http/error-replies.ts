import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { commonMessages } from '#shared/common-messages.ts';
import { errorCode, HttpError, type HttpErrorKind } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { type DatabaseFailure, databaseFailure, isTemporaryFailure } from '../db/database-errors.ts';
import type { Deps } from '../deps.ts';
import { translate } from '../i18n/translator.ts';
import { requestLocaleOf } from './request-language.ts';

const STATUS: Readonly<Record<HttpErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  recentAuthNeeded: 403,
  twoFactorNeeded: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  unsupportedType: 415,
  tooManyTries: 429,
  unavailable: 503,
  busy: 503,
  storageFull: 507,
};

const RETRY_AFTER_SECONDS = 5;

/**
 * Creates the error handler, which turns every error thrown during a request into a status and `{ error, fields? }`
 * (decisions: wire). Some errors add a value, such as `total` or `requestId`.
 */
export function replyWithError(deps: Deps) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void =>
    // Set the locale here too, because hooks do not run for every error, such as an unreadable body.
    deps.translators.withLocale(requestLocaleOf(request, deps), () =>
      answerError(deps, error, request, reply),
    );
}

function answerError(
  deps: Deps,
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // The client disconnected while sending the body, so no one reads the reply.
  if (request.raw.errored !== null && request.raw.errored !== undefined) {
    request.log.info({ code: errorCode(error) }, 'the connection ended within a request');
    reply.code(400).send({ error: translate(deps, commonMessages.invalidBody) });
    return;
  }
  const httpError = toHttpError(error);
  if (httpError === undefined) {
    // A bug's message stays in the log: it may contain SQL or a path.
    request.log.error({ err: error }, 'request failed');
    reply.code(500).send({ error: translate(deps, commonMessages.requestFailed), requestId: request.id });
    return;
  }
  if (httpError.kind === 'unavailable' || httpError.kind === 'storageFull')
    request.log.error({ err: error }, 'request could not be served');
  if (httpError.details.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(httpError.details.retryAfterSeconds))));
  }
  reply.code(STATUS[httpError.kind]).send(replyBody(deps, httpError));
}

function replyBody(deps: Deps, httpError: HttpError) {
  const fields = Object.entries(httpError.details.fields ?? {}).map(
    ([name, message]) => [name, translate(deps, message)] as const,
  );
  const error = translate(deps, httpError.text);
  if (httpError.kind === 'recentAuthNeeded') return { error, fresh: true };
  if (httpError.kind === 'twoFactorNeeded') return { error, secondFactorNeeded: true };
  const { total, made } = httpError.details;
  const more = { ...(total === undefined ? {} : { total }), ...(made === undefined ? {} : { made }) };
  return fields.length === 0 ? { error, ...more } : { error, fields: Object.fromEntries(fields), ...more };
}

// Maps the framework's errors to messages of the product.
const FRAMEWORK: Readonly<Record<string, [HttpErrorKind, Message]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupportedType', commonMessages.unsupportedType],
  FST_ERR_CTP_BODY_TOO_LARGE: ['tooLarge', commonMessages.tooLarge],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid', commonMessages.invalidBody],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid', commonMessages.invalidBody],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupportedType', commonMessages.filesExpected],
  FST_PROTO_VIOLATION: ['invalid', commonMessages.invalidBody],
  FST_PARTS_LIMIT: ['tooLarge', commonMessages.tooLarge],
  FST_FIELDS_LIMIT: ['tooLarge', commonMessages.tooLarge],
  FST_MP_PREMATURE_CLOSE: ['invalid', commonMessages.invalidBody],
  ENOSPC: ['storageFull', commonMessages.storageFull],
  EDQUOT: ['storageFull', commonMessages.storageFull],
  // A failing disk, or one that the system remounted read-only because of it.
  EIO: ['unavailable', commonMessages.unavailable],
  EROFS: ['unavailable', commonMessages.unavailable],
  // A path outside the pages folder, or one that cannot name a file.
  FST_STATIC_FORBIDDEN_PATH: ['notFound', commonMessages.notFound],
  // The system is out of file handles, memory or threads at the moment.
  EMFILE: ['unavailable', commonMessages.unavailable],
  ENFILE: ['unavailable', commonMessages.unavailable],
  ENOMEM: ['unavailable', commonMessages.unavailable],
  EAGAIN: ['unavailable', commonMessages.unavailable],
  ERR_WORKER_INIT_FAILED: ['unavailable', commonMessages.unavailable],
  ERR_WORKER_OUT_OF_MEMORY: ['unavailable', commonMessages.unavailable],
  FST_ERR_BAD_URL: ['notFound', commonMessages.notFound],
  FST_ERR_MAX_PARAM_LENGTH: ['notFound', commonMessages.notFound],
};

// Other client errors of the framework.
function isClientError(error: FastifyError | Error): boolean {
  if (!('code' in error) || !error.code.startsWith('FST_')) return false;
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
}

function toHttpError(error: FastifyError | Error): HttpError | undefined {
  if (error instanceof HttpError) return error;
  const known = 'code' in error ? FRAMEWORK[error.code] : undefined;
  if (known !== undefined) return withRetry(new HttpError(known[0], known[1]));
  if (isClientError(error)) return new HttpError('invalid', commonMessages.invalidRequest);
  const failure = databaseFailure(error);
  if (isTemporaryFailure(failure)) {
    return new HttpError('unavailable', failureMessage(failure), { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  // At the same moment, another request deleted a row that this request refers to.
  if (failure === 'foreignKey') return new HttpError('conflict', commonMessages.changedElsewhere);
  return undefined;
}

/** The message of an `HttpError`, or of a temporary failure of the database or the disk; undefined for other errors. */
export function storageFailureMessage(error: unknown): Message | undefined {
  if (error instanceof HttpError) return error.text;
  const failure = databaseFailure(error) ?? diskFailure(error);
  return isTemporaryFailure(failure) ? failureMessage(failure) : undefined;
}

function diskFailure(error: unknown): DatabaseFailure {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  return code === 'EROFS' ? 'readOnly' : undefined;
}

function failureMessage(failure: DatabaseFailure): Message {
  if (failure === 'full') return commonMessages.diskFull;
  if (failure === 'readOnly') return commonMessages.readOnly;
  if (failure === 'slow') return commonMessages.tooSlow;
  return failure === 'gone' ? commonMessages.folderGone : commonMessages.unavailable;
}

function withRetry(httpError: HttpError): HttpError {
  if (httpError.kind !== 'unavailable') return httpError;
  return new HttpError(httpError.kind, httpError.text, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
