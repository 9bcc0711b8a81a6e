// A library in NCCL's place: FAKE_NCCL_LACKING has not all functions, FAKE_NCCL_FAILING does not
// start.
#include <nccl.h>

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = 21005;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t) { return "unhandled system error"; }

ncclResult_t ncclGetUniqueId(ncclUniqueId*) { return ncclSystemError; }

ncclResult_t ncclCommInitRank(ncclComm_t*, int, ncclUniqueId, int) { return ncclSystemError; }

#ifdef FAKE_NCCL_FAILING

ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t*) { return ncclSystemError; }
ncclResult_t ncclCommDestroy(ncclComm_t) { return ncclSystemError; }
ncclResult_t ncclCommAbort(ncclComm_t) { return ncclSystemError; }
ncclResult_t ncclGroupStart() { return ncclSystemError; }
ncclResult_t ncclGroupEnd() { return ncclSystemError; }
ncclResult_t ncclSend(const void*, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
  return ncclSystemError;
}
ncclResult_t ncclRecv(void*, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
  return ncclSystemError;
}

#endif

}  // extern "C"
