// SPDX-License-Identifier: BSL-1.0
// Runs pplx's own tests. The SDK's test runner would need all of the SDK.
#include <cstdlib>

#include <src/TestReporterStdout.h>
#include <unittestpp.h>

int main() {
    UnitTest::TestReporterStdout reporter;
    const UnitTest::TestRunner runner(reporter);
    const int failed = runner.RunTests(UnitTest::GetTestList(), 0);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
