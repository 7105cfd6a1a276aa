/** A call that failed: what is told of it in one line, and its status as HTTP has it (0 where nothing answered). */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}
